"""On a running server: whatever one statement has evaluated, others are answered, and it ends when it is told to."""

from __future__ import annotations

import threading
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg import errors

from tests.polling import await_that
from tests.server_process import ServerProcess, start_server

pytestmark = pytest.mark.spark

_ENDLESS = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
    "SELECT count(*) FROM pg_class a, pg_class b, pg_class c, pg_class d WHERE a.relname < b.relname",
    "SELECT * FROM generate_series(1, 1000000000000) a WHERE a < 0",
    "SELECT pg_sleep(3600) FROM pg_class",
)


@pytest.mark.parametrize("endless", _ENDLESS)
def test_others_are_answered_while_one_goes_on(headwater_server: ServerProcess, endless: str) -> None:
    with headwater_server.connect() as one, headwater_server.connect() as other:
        failures: list[BaseException] = []

        def run() -> None:
            try:
                one.execute(endless)
            except psycopg.Error as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        _await_active(other, one.info.backend_pid)
        for number in range(50):
            assert other.execute("SELECT %s + 1", (number,)).fetchone() == (number + 1,)
        assert thread.is_alive()
        one.cancel()
        thread.join(60)
        assert [type(failure) for failure in failures] == [errors.QueryCanceled]
        assert one.execute("SELECT 1").fetchone() == (1,)


def test_statement_timeout_ends_what_is_evaluated(headwater_server: ServerProcess) -> None:
    with headwater_server.connect() as connection:
        connection.execute("SET statement_timeout = '200ms'")
        for endless in _ENDLESS:
            with pytest.raises(errors.QueryCanceled):
                connection.execute(endless)


def test_rows_stream_to_whoever_stops_reading_early(headwater_server: ServerProcess) -> None:
    with headwater_server.connect() as connection, connection.transaction():
        connection.execute("DECLARE c NO SCROLL CURSOR FOR SELECT * FROM generate_series(1, 1000000000000)")
        assert connection.execute("FETCH 3 FROM c").fetchall() == [(1,), (2,), (3,)]


def test_no_process_outlives_a_server_that_is_killed(tmp_path: Path) -> None:
    server = start_server(tmp_path, "--replica-grace-ms", "100")
    with server.connect() as one, server.connect() as other:
        thread = threading.Thread(target=_runs_until_lost, args=(one,))
        thread.start()
        _await_active(other, one.info.backend_pid)
        nurseries = [child for child in psutil.Process(server.process.pid).children() if _is_nursery(child)]
        workers = [child for nursery in nurseries for child in nursery.children()]
        assert nurseries and workers
        server.kill()
        thread.join(60)
    _, alive = psutil.wait_procs([*nurseries, *workers], timeout=60)
    assert alive == []


def _runs_until_lost(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    with pytest.raises(psycopg.OperationalError):
        connection.execute(_ENDLESS[0])


def _await_active(connection: psycopg.Connection[tuple[object, ...]], pid: int) -> None:
    state = "SELECT state FROM pg_stat_activity WHERE pid = %s"
    await_that(lambda: connection.execute(state, (pid,)).fetchone() == ("active",))


def _is_nursery(process: psutil.Process) -> bool:
    return "server.evaluation.nursery" in process.cmdline()
