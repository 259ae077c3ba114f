"""RETURNING: a query over the rows that a statement has just written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.datum import Row
from model.relation_desc import RelationDesc
from model.timestamp import TIMESTAMP_MIN
from planner.interpret.evaluate import evaluate_query
from planner.interpret.parameters import bind_query
from planner.ir.relation import Constant, Let
from planner.plans import Query
from server.coordinator.execution import Execution


def returned_rows(
    returning: Query, local_id: int, desc: RelationDesc, rows: Sequence[Row], execution: Execution
) -> list[Row]:
    """The rows of RETURNING, where LocalGet(local_id) is `rows`."""
    bound = bind_query(returning, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    written = Constant(tuple((row, 1) for row in rows), desc)
    query = replace(bound, relation=Let(local_id, written, bound.relation))
    return evaluate_query(query, execution.evaluation_context(TIMESTAMP_MIN))
