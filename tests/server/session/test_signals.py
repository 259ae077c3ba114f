"""pg_cancel_backend and pg_terminate_backend: one session ends what another does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.judge import Judge
from tests.server.memory_server import MemoryServer, memory_server
from tests.server.pgwire.frames import SYNC, bind, error_fields, execute, parse, query
from tests.server.pgwire.talk import Talk, talking

_SLEEP = "SELECT pg_sleep(600)"
_WAYS = {"simple": query(_SLEEP), "extended": parse("", _SLEEP) + bind("", "") + execute("") + SYNC}


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as server:
        yield server


def _wait_until_active(asking: Talk, pid: int) -> None:
    """Returns once the session of `pid` runs its statement."""
    look = query(f"SELECT state FROM pg_stat_activity WHERE pid = {pid} AND query = '{_SLEEP}'")
    while not any("active" in told for told in asking.say(look)):
        pass


def _failure(talk: Talk) -> tuple[str, str, str]:
    told = error_fields(talk.until("E")[-1][1])
    return told["S"], told["C"], told["M"]


@pytest.mark.parametrize("way", _WAYS)
def test_a_statement_is_cancelled_from_another_session(judge: Judge, server: MemoryServer, way: str) -> None:
    outcomes = []
    for port in (judge.port, server.port):
        with talking(port) as one, talking(port) as other:
            one.send(_WAYS[way])
            _wait_until_active(other, one.pid)
            answer = other.say(query(f"SELECT pg_cancel_backend({one.pid})"))
            failure = _failure(one)
            one.until("Z")
            outcomes.append((answer, failure, one.say(query("SELECT 'on it goes'"))))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("way", ["idle", *_WAYS])
def test_a_session_is_ended_from_another(judge: Judge, server: MemoryServer, way: str) -> None:
    outcomes = []
    for port in (judge.port, server.port):
        one = Talk(port)
        with talking(port) as other:
            if way != "idle":
                one.send(_WAYS[way])
                _wait_until_active(other, one.pid)
            answer = other.say(query(f"SELECT pg_terminate_backend({one.pid})"))
            failure = _failure(one)
            with pytest.raises(AssertionError, match="closed the connection"):
                one.until("Z")
            look = query(f"SELECT count(*) FROM pg_stat_activity WHERE pid = {one.pid}")
            while not any("x010" in told or "x01\\x30" in told for told in other.say(look)):
                pass
            outcomes.append((answer, failure))
        one.abandon()
    assert outcomes[0] == outcomes[1]


def test_who_is_not_there_is_warned_of(judge: Judge, server: MemoryServer) -> None:
    turns = [
        query("SELECT pg_cancel_backend(99999999)"),
        query("SELECT pg_terminate_backend(99999999)"),
        query("SELECT pg_terminate_backend(NULL)"),
        query("SELECT pg_terminate_backend(1, -1)"),
    ]
    with talking(judge.port) as theirs, talking(server.port) as ours:
        for turn in turns:
            assert ours.say(turn) == theirs.say(turn)


def test_a_session_may_end_itself(judge: Judge, server: MemoryServer) -> None:
    outcomes = []
    for port in (judge.port, server.port):
        one = Talk(port)
        cancelled = one.say(query("SELECT pg_cancel_backend(pg_backend_pid())"))
        one.send(query("SELECT pg_terminate_backend(pg_backend_pid())"))
        outcomes.append(([told for told in cancelled if told[0] in "EZ"], _failure(one)))
        one.abandon()
    assert outcomes[0] == outcomes[1]
