"""ALTER SYSTEM PROMOTE: who may say it, when, and which standby leads then."""

from __future__ import annotations

from contextlib import closing

import psycopg
import pytest

from model.time.clock import SystemClock
from tests.server.memory_server import MemoryServer, memory_server
from tests.storage.memory import MemoryConsensus
from timeline.fence import Fence
from timeline.lease import LEASE_MS, Lease
from timeline.promotion import PresentStandby, StandbyRecord

_Failure = tuple[str | None, str | None]


def _failure(server: MemoryServer, *statements: str) -> _Failure:
    """The SQLSTATE and the hint of the last statement's error."""
    *before, last = statements
    with closing(server.connect()) as connection:
        for statement in before:
            connection.execute(statement.encode())
        with pytest.raises(psycopg.Error) as failed:
            connection.execute(last.encode())
    return failed.value.sqlstate, failed.value.diag.message_hint


def _standby(name: str, *, ready: bool, caught_up: bool = True) -> PresentStandby:
    said = StandbyRecord(address="127.0.0.1:1", pid=7, ready=ready, message="so far", caught_up=caught_up)
    return PresentStandby(name, said)


class _Lease(Lease):
    """A lease whose standbys answer, or don't."""

    answering = True

    async def answers(self, standby: str) -> bool:
        return self.answering


def test_the_statement_is_refused_where_it_can_not_be_obeyed() -> None:
    with memory_server() as server:
        assert _failure(server, "ALTER SYSTEM PROMOTE")[0] == "55000"
        assert _failure(server, "ALTER SYSTEM PROMOTE 'here' 'there'")[0] == "42601"
        assert _failure(server, "BEGIN", "ALTER SYSTEM PROMOTE")[0] == "25001"
        assert _failure(server, "CREATE ROLE reader", "SET ROLE reader", "ALTER SYSTEM PROMOTE")[0] == "42501"


def test_the_standby_that_is_named_or_the_only_one_that_is_ready_is_to_lead() -> None:
    with memory_server() as server:
        lease = _Lease(MemoryConsensus(), Fence(epoch=1, seqno=1), SystemClock(), LEASE_MS)
        server.environment.outside.lease = lease
        lease.standbys.present = (_standby("one", ready=False),)
        assert _failure(server, "ALTER SYSTEM PROMOTE")[0] == "55000"
        lease.standbys.present = (*lease.standbys.present, _standby("two", ready=True), _standby("three", ready=True))
        assert _failure(server, "ALTER SYSTEM PROMOTE") == (
            "55000",
            "Name one of them: ALTER SYSTEM PROMOTE 'two'.",
        )
        assert _failure(server, "ALTER SYSTEM PROMOTE 'one'")[0] == "55000", "it would not lead at once"
        lease.answering = False
        assert _failure(server, "ALTER SYSTEM PROMOTE 'three'") == ("55000", None), "it does not answer"
        lease.answering = True
        assert not lease.asked.is_set()
        with closing(server.connect()) as connection:
            shown = connection.execute(b"SELECT name, ready, message FROM mz_internal.mz_standbys ORDER BY 1")
            assert shown.fetchall() == [("one", False, "so far"), ("three", True, "so far"), ("two", True, "so far")]
            assert connection.execute(b"ALTER SYSTEM PROMOTE 'three'").statusmessage == "ALTER SYSTEM"
        assert lease.asked.is_set() and lease.given_to == "three"


def test_a_standby_that_is_behind_is_waited_for_unless_forced() -> None:
    with memory_server() as server:
        lease = _Lease(MemoryConsensus(), Fence(epoch=1, seqno=1), SystemClock(), LEASE_MS)
        server.environment.outside.lease = lease
        lease.standbys.present = (_standby("one", ready=True, caught_up=False),)
        assert _failure(server, "SET statement_timeout = 300", "ALTER SYSTEM PROMOTE")[0] == "57014"
        assert not lease.asked.is_set()
        with closing(server.connect()) as connection:
            assert connection.execute(b"ALTER SYSTEM PROMOTE 'one' FORCE").statusmessage == "ALTER SYSTEM"
        assert lease.asked.is_set() and lease.given_to == "one"
