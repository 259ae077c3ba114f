"""A writer to consensus on PostgreSQL that freezes, whatever part of its bytes has arrived, keeps nobody waiting."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from storage.persist.open import open_consensus
from storage.persist.postgres import _LOCK, PostgresConsensus
from tests.judge import Judge

_PIECE = 1 << 16
_CUTS = 25
_PATIENCE_S = 60.0
_LARGE = b"x" * 200_000


@dataclass(slots=True)
class _Cut:
    """The bytes of clients that still pass, and those that have passed."""

    left: int
    passed: int = 0


@asynccontextmanager
async def _proxy(address: str, cut: _Cut) -> AsyncIterator[str]:
    """Passes bytes on to the server until so many have passed, and none after; yields the address that leads there, and
    closes all connections afterwards."""
    parts = conninfo_to_dict(address)
    opened: list[asyncio.StreamWriter] = []

    async def serve(client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        answers, server = await asyncio.open_connection(str(parts["host"]), int(str(parts["port"])))

        opened.extend((back, server))

        async def answer() -> None:
            while piece := await answers.read(_PIECE):
                back.write(piece)
            back.close()

        answering = asyncio.create_task(answer())
        while piece := await client.read(_PIECE):
            server.write(piece[: cut.left])
            cut.passed += min(len(piece), cut.left)
            cut.left -= min(len(piece), cut.left)
        server.close()
        await answering

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield make_conninfo(address, host="127.0.0.1", port=listener.sockets[0].getsockname()[1])
    finally:
        listener.close()
        for each in opened:
            each.close()


async def test_a_writer_that_freezes_at_any_byte_keeps_nobody_from_writing(judge: Judge) -> None:
    database = f"consensus_{uuid.uuid4().hex}"
    with judge.connect() as connection:
        connection.execute(f'CREATE DATABASE "{database}"'.encode())
    other = open_consensus(judge.url(database))
    assert await other.compare_and_set({"lease": None}, {"lease": b"first"})
    whole = _Cut(left=1 << 30)
    async with _proxy(judge.dsn(database), whole) as address:
        unbroken = PostgresConsensus(address)
        assert await unbroken.compare_and_set({"a": None, "lease": 1}, {"a": _LARGE})
        await unbroken.close()
    assert whole.passed > len(_LARGE)
    small = whole.passed - len(_LARGE)
    cuts = [*range(1, small, max(1, small // _CUTS)), small + len(_LARGE) // 2, whole.passed - 1, whole.passed]
    for number, left in enumerate(cuts):
        cut = _Cut(left)
        async with _proxy(judge.dsn(database), cut) as address:
            frozen = PostgresConsensus(address)
            key = f"by the frozen {number}"
            writing = asyncio.create_task(frozen.compare_and_set({key: None, "lease": number + 1}, {key: _LARGE}))
            while cut.left and not writing.done():
                await asyncio.sleep(0.002)
            async with asyncio.timeout(_PATIENCE_S):
                expected = {"lease": number + 1, "a": 1}
                assert await other.compare_and_set(expected, {"lease": b"next"}), f"after {left} bytes"
        await asyncio.gather(writing, return_exceptions=True)
        await frozen.close()
    await other.close()


async def test_a_writer_that_waited_compares_what_stands_there_then_in_databases_of_any_isolation(judge: Judge) -> None:
    database = f"consensus_{uuid.uuid4().hex}"
    with judge.connect() as connection:
        connection.execute(f'CREATE DATABASE "{database}"'.encode())
        settings = f"ALTER DATABASE \"{database}\" SET default_transaction_isolation = 'repeatable read'"
        connection.execute(settings.encode())
    writer = open_consensus(judge.url(database))
    assert await writer.compare_and_set({"lease": None}, {"lease": b"first"})
    waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
    async with await psycopg.AsyncConnection.connect(judge.dsn(database), autocommit=True) as other:
        async with other.transaction():
            await other.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            writing = asyncio.create_task(writer.compare_and_set({"lease": 1, "a": None}, {"a": b"of the first"}))
            async with (
                asyncio.timeout(_PATIENCE_S),
                await psycopg.AsyncConnection.connect(judge.dsn(database), autocommit=True) as looking,
            ):
                while not await (await looking.execute(waiting)).fetchall():
                    await asyncio.sleep(0.01)
            await other.execute("INSERT INTO headwater_versions VALUES ('lease', 2, 'next')")
        assert not await writing, "another has taken the lease meanwhile"
    await writer.close()
