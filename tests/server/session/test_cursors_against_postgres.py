"""Cursors: random walks over rows go as PostgreSQL's do."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, execute, query
from tests.server.pgwire.talk import talking

_ROWS = 700
_SELECT = f"SELECT i FROM generate_series(1, {_ROWS}) i"
_CLAUSES = ("", "SCROLL", "NO SCROLL")
_DIRECTIONS = ("NEXT", "PRIOR", "FIRST", "LAST", "ALL", "FORWARD ALL", "BACKWARD ALL")
_COUNTED = ("FORWARD", "BACKWARD", "ABSOLUTE", "RELATIVE", "")


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _step(random_: random.Random) -> bytes:
    if random_.random() < 0.15:
        return execute("c", random_.choice((0, 1, 300))) + SYNC
    command = "MOVE" if random_.random() < 0.3 else "FETCH"
    if random_.random() < 0.4:
        return query(f"{command} {random_.choice(_DIRECTIONS)} FROM c")
    count = random_.choice((-_ROWS - 1, -300, -2, -1, 0, 0, 1, 2, 300, 300, _ROWS, _ROWS + 1))
    return query(f"{command} {random_.choice(_COUNTED)} {count} FROM c")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("hold", ["", "WITH HOLD"])
@pytest.mark.parametrize("scroll", _CLAUSES)
def test_cursors_move_as_postgresqls_do(judge: Judge, server: MemoryServer, seed: int, scroll: str, hold: str) -> None:
    random_ = random.Random(seed)
    declare = query(f"DECLARE c {scroll} CURSOR {hold} FOR {_SELECT}")
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for turn in (query("BEGIN"), declare):
            assert ours.say(turn) == theirs.say(turn)
        if hold:
            assert ours.say(query("COMMIT")) == theirs.say(query("COMMIT"))
        for _ in range(10):
            turn = _step(random_)
            told = theirs.say(turn)
            assert ours.say(turn) == told, turn
            if any(each.startswith("E") for each in told):
                break


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scroll", _CLAUSES)
def test_cursors_over_locked_rows_move_forward_as_postgresqls_do(
    judge: Judge, server: MemoryServer, seed: int, scroll: str
) -> None:
    random_ = random.Random(seed)
    turns = [
        query("BEGIN"),
        query("CREATE TEMPORARY TABLE numbered AS SELECT i FROM generate_series(1, 20) i"),
        query(f"DECLARE c {scroll} CURSOR FOR SELECT i + 0 AS i FROM numbered ORDER BY 1 FOR UPDATE"),
        *(_step(random_) for _ in range(10)),
    ]
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for turn in turns:
            told = theirs.say(turn)
            assert ours.say(turn) == told, turn


def test_what_a_cursor_keeps_is_bounded(server: MemoryServer) -> None:
    with talking(server.port) as talk:
        wide = "SELECT i, repeat(i::text, 200) FROM generate_series(1, 40000) i"
        for turn in (query("BEGIN"), query(f"DECLARE c CURSOR FOR {wide}"), query("MOVE ALL FROM c")):
            talk.say(turn)
        session = server.environment.clients.sessions[talk.pid]
        kept = session.holdings.cursors["c"].kept  # type: ignore[attr-defined]
        assert kept.count == 40_000
        assert 0 < kept.memory_bytes <= 8 << 20
        assert talk.say(query("FETCH ABSOLUTE 7 FROM c"))[1].startswith("D")
