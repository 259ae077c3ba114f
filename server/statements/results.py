"""Results of statements, put together."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.pgwire.backend import Rows


async def _one(batch: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    yield batch


def rows_result(desc: RelationDesc, rows: Sequence[Row], tag: str) -> Rows:
    """Returns a result whose rows are all in memory."""
    return Rows(desc, _one(rows), lambda: tag)


def whole_rows(desc: RelationDesc, rows: Sequence[Row], command: str) -> Rows:
    """Returns a result whose rows are all in memory; the command's tag tells their number."""
    return Rows(desc, _one(rows), lambda: f"{command} {len(rows)}", whole=rows)


async def started(rows: AsyncGenerator[Sequence[Row]]) -> AsyncGenerator[Sequence[Row]]:
    """Waits for the first batch of rows, then returns all batches; raises the error that came in place of the first
    batch. A client hears of the result only after the wait."""
    return _chained(await anext(rows, None), rows)


async def _chained(first: Sequence[Row] | None, rest: AsyncGenerator[Sequence[Row]]) -> AsyncGenerator[Sequence[Row]]:
    async with contextlib.aclosing(rest):
        if first is not None:
            yield first
            async for rows in rest:
                yield rows


def counted_rows(desc: RelationDesc, batches: AsyncIterator[Sequence[Row]], command: str) -> Rows:
    """Returns a result of rows as they come; the tag counts them."""
    count = 0

    async def counting() -> AsyncIterator[Sequence[Row]]:
        nonlocal count
        async for batch in batches:
            count += len(batch)
            yield batch

    return Rows(desc, counting(), lambda: f"{command} {count}")
