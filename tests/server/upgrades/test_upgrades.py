"""A server over what earlier code has written, and over what newer code has written."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from catalog.durable.migrations.steps import migrate
from model.errors.sql_error import SqlError
from model.time.clock import SystemClock, SystemRandomness
from server.start.formats import require_known_formats
from storage.persist import version
from storage.persist.files import FileBlob
from storage.persist.sqlite import SqliteConsensus
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.upgrades.written import STATES, unpack

_STATES = sorted(STATES.glob("*.tar.xz"))


def _serving(directory: Path) -> AbstractContextManager[MemoryServer]:
    return memory_server(SqliteConsensus(directory / "consensus.sqlite"), FileBlob(directory / "blob"))


def _rows(server: MemoryServer, statement: str) -> list[tuple[Any, ...]]:
    with closing(server.connect()) as connection:
        return connection.execute(statement.encode()).fetchall()


@pytest.mark.parametrize("state", _STATES, ids=lambda state: state.name)
def test_what_earlier_code_wrote_is_opened_and_written_further(state: Path, tmp_path: Path) -> None:
    # What PostgreSQL answers after the statements of `written`.
    unpack(state, tmp_path)
    sums = "SELECT said::text, n, paid::text FROM sums ORDER BY said"
    with _serving(tmp_path) as server:
        assert _rows(server, sums) == [("glad", 1800, "675000.00"), ("sad", 900, "337500.00")]
        assert _rows(server, "SELECT count(*), min(word) FROM t") == [(2700, "first")]
        assert _rows(server, "SELECT count(*) FROM glad") == [(1800,)]
        assert _rows(server, "SELECT obj_description('t'::regclass)") == [("written long ago",)]
        assert _rows(server, "SELECT has_table_privilege('reader', 't', 'SELECT')") == [(True,)]
        with closing(server.connect()) as connection:
            connection.execute(b"INSERT INTO t (id, said, paid) VALUES (10, 'sad', 0.5)")
    with _serving(tmp_path) as server:
        assert _rows(server, sums) == [("glad", 1800, "675000.00"), ("sad", 901, "337500.50")]
        assert _rows(server, "SELECT word FROM t WHERE id IN (1, 10) ORDER BY id") == [("first",), ("none",)]
        ((number,),) = _rows(server, "SELECT nextval('numbers')")
        assert number > 1


def _newer_shards(directory: Path) -> None:
    """Has a version of each shard say that it is of the next format, and hold what this code does not know."""
    with closing(sqlite3.connect(directory / "consensus.sqlite")) as consensus:
        found = consensus.execute("SELECT key, seqno, data FROM versions WHERE key LIKE 'shard/%'").fetchall()
        assert found
        for key, seqno, data in found:
            newer = msgspec.msgpack.decode(data) | {"format": version.FORMAT + 1, "transitions": [["Unheard"]]}
            consensus.execute(
                "UPDATE versions SET data = ? WHERE key = ? AND seqno = ?", (msgspec.msgpack.encode(newer), key, seqno)
            )
        consensus.commit()


def _contents(directory: Path) -> tuple[list[tuple[Any, ...]], list[Path]]:
    with closing(sqlite3.connect(directory / "consensus.sqlite")) as consensus:
        return sorted(consensus.execute("SELECT * FROM versions").fetchall()), sorted((directory / "blob").rglob("*"))


async def _look(directory: Path) -> None:
    """Looks at the formats as a server does that starts."""
    consensus, blob = SqliteConsensus(directory / "consensus.sqlite"), FileBlob(directory / "blob")
    try:
        await require_known_formats(consensus, blob, SystemClock(), SystemRandomness())
    finally:
        await consensus.close()


def _nothing(_directory: Path) -> None:
    """Leaves all as it is."""


@pytest.mark.parametrize("state", _STATES, ids=lambda state: state.name)
def test_known_formats_are_looked_at_and_left_as_they_are(state: Path, tmp_path: Path) -> None:
    unpack(state, tmp_path)
    before = _contents(tmp_path)
    asyncio.run(_look(tmp_path))
    assert _contents(tmp_path) == before


@pytest.mark.parametrize(
    ("make_newer", "steps", "message"),
    [
        (_newer_shards, None, r"shard \S+ was written by a newer Headwater: its format is 2, this one knows up to 1"),
        (_nothing, (), "the catalog was written by a newer Headwater: its version is 3, this one knows up to 1"),
    ],
)
def test_what_newer_code_wrote_is_refused_before_anything_is_written(
    make_newer: Callable[[Path], None], steps: tuple[()] | None, message: str, tmp_path: Path
) -> None:
    unpack(_STATES[-1], tmp_path)
    make_newer(tmp_path)
    before = _contents(tmp_path)
    known = migrate.__defaults__ if steps is None else (steps,)
    with patch.object(migrate, "__defaults__", known), pytest.raises(SqlError, match=message):
        asyncio.run(_look(tmp_path))
    assert _contents(tmp_path) == before
