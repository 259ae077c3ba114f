"""The projection that takes values of sequences: computed by the server, over rows from below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.time.timestamp import TIMESTAMP_MIN
from model.types.datum import Row
from planner.interpret.evaluate import evaluate_query
from planner.interpret.parameters import bind_query
from planner.ir.relation import Constant, Let
from server.ledgers.counting.split import BELOW, Split
from server.transactions.execution import Execution


def projected_rows(parts: Split, rows: Sequence[Row], execution: Execution) -> list[Row]:
    """Computes the part above the split, over `rows` of the part below."""
    bound = bind_query(parts.above, execution.parameters, execution.session_values(TIMESTAMP_MIN))
    below = Constant(tuple((row, 1) for row in rows), parts.below.desc)
    query = replace(bound, relation=Let(BELOW, below, bound.relation))
    return evaluate_query(query, execution.evaluation_context(TIMESTAMP_MIN))
