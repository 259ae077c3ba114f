"""Portals of queries keep the relations they read as they are, as PostgreSQL's do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, close, execute, parse, query
from tests.server.pgwire.talk import talking


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


_QUERY = parse("q", "SELECT * FROM held ORDER BY a")
_BOUND = bind("p", "q") + SYNC
_TRUNCATE = query("TRUNCATE held")
_TURNS: dict[str, tuple[bytes, ...]] = {
    "bound": (_BOUND, _TRUNCATE),
    "suspended": (bind("p", "q") + execute("p", 2) + SYNC, query("DROP TABLE held")),
    "read to its end": (bind("p", "q") + execute("p", 0) + SYNC, query("ALTER TABLE held ADD COLUMN b int")),
    "closed": (bind("p", "q") + execute("p", 1) + close("P", "p") + SYNC, _TRUNCATE),
    "without a name": (bind("", "q") + execute("", 1) + SYNC, _TRUNCATE),
    "writing": (parse("", "INSERT INTO held VALUES (9) RETURNING a") + bind("p", "") + SYNC, _TRUNCATE),
    "of another relation": (parse("", "SELECT 1") + bind("p", "") + SYNC, _TRUNCATE),
    "before a savepoint": (_BOUND, query("SAVEPOINT s"), query("ROLLBACK TO s"), _TRUNCATE),
    "after a savepoint": (query("SAVEPOINT s"), _BOUND, query("ROLLBACK TO s"), _TRUNCATE, execute("p") + SYNC),
}


@pytest.mark.parametrize("what", _TURNS)
def test_a_portal_keeps_what_it_reads(judge: Judge, server: MemoryServer, what: str) -> None:
    setup = ("DROP TABLE IF EXISTS held", "CREATE TABLE held (a int)", "INSERT INTO held VALUES (1), (2), (3)")
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for text in setup:
            assert ours.say(query(text))[-1] == theirs.say(query(text))[-1] == "Z b'I'"
        for turn in (_QUERY + SYNC, query("BEGIN"), *_TURNS[what], query("ROLLBACK"), query("DROP TABLE held")):
            assert ours.say(turn) == theirs.say(turn), turn
