"""A standby of other code is promoted under writes: nothing acknowledged is lost, no transaction fails, writes wait."""

from __future__ import annotations

import signal
import threading
from pathlib import Path

import psycopg
import pytest

from tests.polling import polls
from tests.server.killing.leaders_clients import PairWriter, connect_to_leader
from tests.server_process import ServerProcess, start_server

pytestmark = [pytest.mark.spark, pytest.mark.slow]

_OPTIONS = ("--standby", "--replica-memory", "1g", "--spark-master", "local[2]", "--http-listen", "none")
_PATIENCE_S = 120.0


def _until_told(server: ServerProcess, told: str, times: int = 1) -> None:
    for _ in polls(_PATIENCE_S):
        if server.log.read_text().count(told) >= times:
            return
    raise AssertionError(f"{told!r} was to be told {times} times:\n{server.log.read_text()}")


def _standby(leader: ServerProcess) -> tuple[str, int, bool]:
    """The one standby, as the leader sees it."""
    with leader.connect() as connection:
        for _ in polls(_PATIENCE_S):
            found = connection.execute("SELECT name, pid, ready FROM mz_internal.mz_standbys").fetchall()
            if len(found) == 1:
                name, pid, ready = found[0]
                assert isinstance(name, str) and isinstance(pid, int) and isinstance(ready, bool)
                return name, pid, ready
    raise AssertionError(f"{found} stand by")


@pytest.mark.timeout(600)
def test_a_promoted_standby_leads_and_nothing_fails(tmp_path: Path) -> None:
    first = start_server(tmp_path, *_OPTIONS)
    _until_told(first, "listening on")
    with first.connect() as connection:
        connection.execute("CREATE TABLE t (a int, half int)")
        connection.execute("CREATE MATERIALIZED VIEW v AS SELECT count(*) AS n, sum(half) AS s FROM t")
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="no such standby"):
            connection.execute("ALTER SYSTEM PROMOTE")
        assert connection.execute("SELECT n FROM v").fetchall() == [(0,)]
    second = start_server(tmp_path, *_OPTIONS)
    writer = PairWriter([first, second])
    writing = threading.Thread(target=writer.run)
    try:
        _until_told(second, "this standby would lead at once")
        assert _standby(first)[1:] == (second.process.pid, True)
        writing.start()
        for leader, standby, turn in ((first, second, 1), (second, first, 2), (first, second, 2)):
            name, pid, _ = _standby(leader)
            assert pid == standby.process.pid
            before = len(writer.acknowledged)
            if turn == 1:
                standby.process.send_signal(signal.SIGUSR1)
            else:
                with leader.connect() as connection:
                    connection.execute(f"ALTER SYSTEM PROMOTE '{name}'".encode())
            _until_told(leader, "gives way: a standby is to lead; this one stands by", times=(turn + 1) // 2)
            for _ in polls(_PATIENCE_S):
                if len(writer.acknowledged) > before + 40:
                    break
            print(f"\nwrites waited for {writer.longest_pause_s():.2f} s at most")
    finally:
        writer.stopped = True
        if writing.is_alive():
            writing.join()
        logs = first.log.read_text() + second.log.read_text()
        with connect_to_leader([first, second]) as connection:
            found = {number for (number,) in connection.execute("SELECT a FROM t").fetchall()}
            counted = connection.execute("SELECT n, s FROM v").fetchall()
        for server in (first, second):
            server.stop()
    assert not writer.failed, logs
    assert {number for number, _ in writer.acknowledged} <= found
    assert counted == [(2 * len(found), 3 * len(found))]
