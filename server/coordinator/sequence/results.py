"""Results of statements, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from model.datum import Row
from model.relation_desc import RelationDesc
from server.pgwire.backend import Rows


async def _one(batch: Sequence[Row]) -> AsyncIterator[Sequence[Row]]:
    yield batch


def rows_result(desc: RelationDesc, rows: Sequence[Row], tag: str) -> Rows:
    """Rows that are all there already."""
    return Rows(desc, _one(rows), lambda: tag)


def counted_rows(desc: RelationDesc, batches: AsyncIterator[Sequence[Row]], command: str) -> Rows:
    """Rows as they come; the tag counts them."""
    count = 0

    async def counting() -> AsyncIterator[Sequence[Row]]:
        nonlocal count
        async for batch in batches:
            count += len(batch)
            yield batch

    return Rows(desc, counting(), lambda: f"{command} {count}")
