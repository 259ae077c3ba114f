"""CHECK INDEX finds every difference, of however many rows, and none where there is none."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pyarrow as pa
import pytest

from compute.controller.pending import IndexPeekRequest
from compute.replica.contents.difference import PORTION_ROWS
from server.statements.definitions import check_index
from tests.server.world import World, simulated

_PORTIONS = 5


async def _indexed(world: World) -> None:
    client = world.client()
    await client.query("CREATE VIEW v AS SELECT a, count(*) AS n FROM t GROUP BY a; CREATE INDEX i ON v (a)")
    await client.query("INSERT INTO t SELECT g % 50, 'x' FROM generate_series(1, 200) g")
    await client.query("INSERT INTO t VALUES (NULL, 'y')")


@simulated
async def test_an_index_is_compared_in_portions(world: World) -> None:
    with pytest.MonkeyPatch.context() as patch:
        await _indexed(world)
        patch.setattr(check_index, "_rows_expected", lambda *_: _PORTIONS * PORTION_ROWS // 2)
        assert await world.client().query("CHECK INDEX i") == []
        compute = world.life.environment.compute
        peeked = compute.peek_index

        async def wrong(request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
            """Without the rows of the keys 3 and NULL, and with those of 4 twice."""
            async for batch in peeked(request):
                keys = batch.column(0).to_pylist()
                places = [at for at, key in enumerate(keys) for _ in range({3: 0, None: 0, 4: 2}.get(key, 1))]
                yield batch.take(pa.array(places, pa.int64()))

        patch.setattr(compute, "peek_index", wrong)
        found = await world.client().query("CHECK INDEX i")
        assert sorted(found, key=str) == sorted([(-1, None, 1), (-1, 3, 4), (1, 4, 4)], key=str)
