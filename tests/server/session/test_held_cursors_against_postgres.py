"""Cursors WITH HOLD whose query fails: DECLARE, FETCH and COMMIT tell and leave behind what they do in PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, execute, parse, query
from tests.server.pgwire.talk import Talk, talking

_FAILING = (
    "SELECT 1/0",
    "SELECT 'x'::int",
    "SELECT 10/(3-i) FROM generate_series(1, 5) i",
    "SELECT a, 10/(3-a) FROM t ORDER BY a",
    "SELECT a FROM t ORDER BY a",
)
_LEFT = ("FETCH ALL FROM c", "SELECT name FROM pg_cursors ORDER BY 1", "SELECT * FROM t ORDER BY 1", "ROLLBACK")
_INSERT = "INSERT INTO t VALUES (77)"
_ENDS = ("COMMIT", "ROLLBACK", "COMMIT AND CHAIN")


def _scripts(declare: str) -> Iterator[tuple[str, ...]]:
    """Yields what a client says; what begins with `@` goes by the extended protocol."""
    yield (declare,)
    yield ("@" + declare,)
    yield (f"{_INSERT}; {declare}",)
    yield (f"{declare}; {_INSERT}",)
    yield (f"{declare}; FETCH 1 FROM c",)
    yield (f"BEGIN; {declare}; COMMIT; {_INSERT}",)
    for end in _ENDS:
        yield ("BEGIN", declare, _INSERT, end)
        yield ("BEGIN", declare, "FETCH 2 FROM c", end)
        yield ("BEGIN", declare, "FETCH 1 FROM c", _INSERT, "FETCH PRIOR FROM c", end)
    yield ("BEGIN", "@" + declare, "@FETCH 1 FROM c", "@COMMIT")
    yield ("BEGIN", declare, "SAVEPOINT s", "FETCH ALL FROM c", "ROLLBACK TO s", _INSERT, "COMMIT")
    yield ("BEGIN", declare, "CLOSE c", "COMMIT")
    yield ("BEGIN", "SAVEPOINT s", declare, "ROLLBACK TO s", "COMMIT")
    yield ("BEGIN", declare, "DECLARE d CURSOR WITH HOLD FOR SELECT 1", "COMMIT", "CLOSE ALL")
    yield ("BEGIN", declare, "PREPARE TRANSACTION 'held'")
    yield ("BEGIN", declare, "SELECT 1/0", "COMMIT")
    yield ("BEGIN", declare, "COMMIT", declare, "FETCH 1 FROM c", "CLOSE c")


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _said(talk: Talk, turn: str) -> list[str]:
    """Returns the answer without places in texts; of a FETCH that fails PostgreSQL sends no rows before the error."""
    sql = turn.removeprefix("@")
    extended = parse("", sql) + bind("", "") + execute("") + SYNC
    told = [each.split(" P=")[0] for each in talk.say(query(sql) if sql == turn else extended)]
    failed = any(each.startswith("E") for each in told)
    return [each for each in told if not (failed and each[0] in "DT")]


@pytest.mark.in_part(4)
@pytest.mark.parametrize("sql", _FAILING)
@pytest.mark.parametrize("scroll", ["", "SCROLL", "NO SCROLL"])
def test_held_cursors_fail_where_postgresqls_do(judge: Judge, server: MemoryServer, sql: str, scroll: str) -> None:
    setup = ("DROP TABLE IF EXISTS t", "CREATE TABLE t (a int)", "INSERT INTO t VALUES (1), (2), (3)")
    for script in _scripts(f"DECLARE c {scroll} CURSOR WITH HOLD FOR {sql}"):
        with talking(judge.port, setup) as theirs, talking(server.port, setup) as ours:
            for turn in (*script, *_LEFT):
                assert _said(ours, turn) == _said(theirs, turn), (script, turn)
