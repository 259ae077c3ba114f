"""RETURNING: a query over the rows that a statement writes, and perhaps over other collections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from planner.ir.query import Query
from planner.ir.relation import Constant, Let
from server.planning.statement_plans import read_set
from server.reads.reading import Reader
from server.transactions.execution import Execution


async def returned_rows(
    returning: Query, local_id: int, desc: RelationDesc, rows: Sequence[Row], execution: Execution
) -> list[Row]:
    """Returns the rows of RETURNING, where LocalGet(local_id) is `rows`.

    Must be asked before the statement's own write is the transaction's: tables are read as they were before it.
    """
    written = Constant(tuple((row, 1) for row in rows), desc)
    query = replace(returning, relation=Let(local_id, written, returning.relation))
    found = Reader(execution.environment, execution).rows(query, read_set(query.relation))
    return [row async for batch in found for row in batch]
