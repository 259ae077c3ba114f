"""Chooses the place of a statement's interpretation: the event loop for small plans, elsewhere for others."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence

from model.time.timestamp import TIMESTAMP_MIN, Timestamp
from model.types.datum import Row
from model.types.relation_desc import relation_desc
from planner.interpret.effort import is_small
from planner.interpret.streaming import constant_rows
from planner.ir.query import Query, whole_query
from planner.ir.relation import Constant, Map
from planner.ir.scalar import Scalar
from server.transactions.execution import Execution


def evaluated(
    query: Query, execution: Execution, timestamp: Timestamp, *, system: bool = False, small: bool | None = None
) -> AsyncGenerator[list[Row]]:
    """Yields the rows, in batches, of a query with bound parameters. `system`: it reads system relations. `small`:
    whether it `is_small`, if known."""
    known = constant_rows(query)
    if known is not None:
        return _one(known)
    environment = execution.environment
    work = execution.work(query, timestamp, system=system)
    here = not system and not execution.long and (is_small(query) if small is None else small)
    return (environment.evaluations.here if here else environment.evaluations.apart).rows(work, execution.facts)


async def _one(batch: list[Row]) -> AsyncGenerator[list[Row]]:
    if batch:
        yield batch


async def evaluated_rows(
    query: Query, execution: Execution, timestamp: Timestamp, *, system: bool = False
) -> list[Row]:
    """Returns all rows of `evaluated`."""
    async with contextlib.aclosing(evaluated(query, execution, timestamp, system=system)) as batches:
        return [row async for batch in batches for row in batch]


async def evaluated_values(scalars: Sequence[Scalar], execution: Execution) -> Row:
    """Returns the values of expressions without columns."""
    names = tuple(f"c{number}" for number in range(len(scalars)))
    relation = Map(Constant((((), 1),), relation_desc()), tuple(scalars), names)
    (row,) = await evaluated_rows(whole_query(relation), execution, TIMESTAMP_MIN)
    return row
