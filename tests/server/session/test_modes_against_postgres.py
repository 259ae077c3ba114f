"""Transactions that may only read stay so, however their mode was set: as PostgreSQL's do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, execute, parse, query
from tests.server.pgwire.talk import talking


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _pipeline(*texts: str) -> bytes:
    return b"".join(parse("", text) + bind("", "") + execute("") for text in texts) + SYNC


_INSERT = "INSERT INTO modes VALUES (8)"
_ON = "SELECT set_config('transaction_read_only', 'on', {})"
_OFF = "SELECT set_config('transaction_read_only', 'off', true)"
_TURNS: dict[str, tuple[bytes, ...]] = {
    "pipeline": (_pipeline("SET TRANSACTION READ ONLY", _INSERT), _pipeline(_INSERT)),
    "pipeline back": (_pipeline("SET TRANSACTION READ ONLY", "SET TRANSACTION READ WRITE", _INSERT),),
    "pipeline late": (
        _pipeline("SELECT 1", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"),
        _pipeline("SET TRANSACTION READ ONLY", "SELECT 1", "SET TRANSACTION READ WRITE", _INSERT),
    ),
    "by itself": (query("SET TRANSACTION READ ONLY"), query("SHOW transaction_read_only"), query(_INSERT)),
    "function": (query("BEGIN"), query(_ON.format("true")), query(_INSERT), query("ROLLBACK"), query(_INSERT)),
    "function for the session": (
        query("BEGIN"),
        query(_ON.format("false")),
        query(_INSERT),
        query("ROLLBACK"),
        query(_INSERT),
    ),
    "function in one message": (query(f"{_ON.format('true')}; {_INSERT}"), query(_INSERT)),
    "function back": (query("BEGIN READ ONLY"), query(_OFF), query("ROLLBACK")),
    "function in a function": (query("BEGIN"), query("SELECT reading()"), query(_INSERT), query("ROLLBACK")),
    "function and savepoint": (
        query("BEGIN"),
        query("SAVEPOINT s"),
        query(_ON.format("true")),
        query("ROLLBACK TO s"),
        query(_INSERT),
        query("ROLLBACK"),
    ),
    "function and isolation": (
        query("BEGIN"),
        query("SELECT set_config('transaction_isolation', 'repeatable read', true)"),
        query("ROLLBACK"),
        query("BEGIN"),
        query("SELECT set_config('transaction_read_only', 'perhaps', true)"),
        query("ROLLBACK"),
    ),
    "variable": (
        query("BEGIN"),
        query("SELECT 1"),
        query("SET transaction_isolation = 'repeatable read'"),
        query("ROLLBACK"),
        query("BEGIN"),
        query("SET transaction_read_only = 'tru'"),
        query(_INSERT),
        query("ROLLBACK"),
    ),
}


@pytest.mark.parametrize("what", _TURNS)
def test_a_mode_holds_as_in_postgresql(judge: Judge, server: MemoryServer, what: str) -> None:
    setup = (
        "DROP TABLE IF EXISTS modes",
        "CREATE TABLE modes (a int)",
        "DROP FUNCTION IF EXISTS reading",
        f"CREATE FUNCTION reading() RETURNS text LANGUAGE sql AS $${_ON.format('true')}$$",
    )
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for text in setup:
            assert ours.say(query(text))[-1] == theirs.say(query(text))[-1] == "Z b'I'"
        for turn in (*_TURNS[what], query("SELECT count(*) FROM modes"), query("DROP TABLE modes")):
            assert ours.say(turn) == theirs.say(turn), turn
