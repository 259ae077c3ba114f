"""What a transaction holds is let go, whatever happens while it ends."""

from __future__ import annotations

import asyncio
import contextlib
from unittest.mock import patch

from server.cursors.cursor import Cursor
from tests.server.world import World, simulated


@simulated
async def test_a_client_that_goes_while_its_cursors_are_closed_leaves_no_lock_and_no_hold(world: World) -> None:
    client, other = world.client(), world.client()
    storage = world.life.environment.storage

    def holds() -> int:
        return sum(len(collection.holds) for collection in storage.collections())

    before = holds()
    await client.query("BEGIN; LOCK TABLE t; SELECT * FROM t; DECLARE c CURSOR FOR SELECT a FROM t")
    assert holds() > before
    closing = asyncio.Event()

    async def close(cursor: Cursor) -> None:
        closing.set()
        await asyncio.Event().wait()

    with patch.object(Cursor, "close", close):
        ending = asyncio.ensure_future(client.query("ROLLBACK"))
        await closing.wait()
        ending.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await ending
    await client.session.close()
    assert holds() == before
    await other.query("BEGIN; LOCK TABLE t NOWAIT; ROLLBACK")
