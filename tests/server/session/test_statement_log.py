"""mz_recent_activity_log: what is told of each statement, to whom, and how much is kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Iterator
from typing import Any

import psycopg
import pytest

from model.process.redaction import remember
from model.time.clock import SystemClock
from server.ledgers.statement_log import CONSOLE_PAGES, STATEMENTS_MAX, LoggedSession, StatementLog, StatementRecord
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server
from tests.web_sockets import socket_to

Session = psycopg.Connection[tuple[Any, ...]]
_LOG = "mz_internal.mz_recent_activity_log"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            for statement in (
                "CREATE ROLE ada LOGIN",
                "CREATE ROLE watching LOGIN",
                "GRANT pg_monitor TO watching",
                "CREATE TABLE t (a int)",
                "GRANT ALL ON t TO ada",
            ):
                connection.execute(statement)
        yield running


@pytest.fixture
def session(server: MemoryServer) -> Iterator[Session]:
    with server.connect() as connection:
        yield connection


def as_role(server: MemoryServer, role: str) -> Session:
    dsn = f"host=127.0.0.1 port={server.port} user={role} dbname=headwater application_name=app"
    return psycopg.connect(dsn, autocommit=True)


def told(session: Session, mark: str, columns: str = "finished_status, sqlstate, rows_returned") -> list[Any]:
    """What the log has of the statements whose text has a mark."""
    query = f"SELECT {columns} FROM {_LOG} WHERE sql LIKE '%%' || %s || '%%' AND sql NOT LIKE '%%{_LOG}%%'"
    return session.execute((query + " ORDER BY execution_id").encode(), (mark,)).fetchall()


def test_rows_outcomes_and_sqlstates_are_told(session: Session) -> None:
    session.execute("INSERT INTO t SELECT 7 FROM generate_series(1, 3) /* one */")
    session.execute("SELECT a FROM t WHERE a = %s /* one */", (7,))
    with pytest.raises(psycopg.Error):
        session.execute("SELECT 1 / (a - 7) FROM t /* one */")
    with pytest.raises(psycopg.Error):
        session.execute("SELECT nothing /* one */")
    session.execute("CREATE TABLE u (a int) /* one */")
    assert told(session, "/* one */") == [
        ("success", None, 3),
        ("success", None, 3),
        ("error", "22012", None),
        ("error", "42703", None),
        ("success", None, None),
    ]
    kinds = [row[0] for row in told(session, "/* one */", "statement_type")]
    assert kinds == ["insert", "select", "select", "select", "create"]


def test_times_bytes_and_the_timestamp_read_are_told(session: Session) -> None:
    session.execute("SELECT a, repeat('x', 1000) FROM t /* two */")
    session.execute("SELECT pg_sleep(0.05) /* two */")
    columns = "finished_at - began_at >= '45 ms', queued_ms >= 0, planned_ms > 0, executed_ms >= 45"
    assert told(session, "/* two */", columns)[1] == (True, True, True, True)
    (size, read_ts), (_, none) = told(session, "/* two */", "result_size, execution_timestamp::text")
    assert size > 3_000
    ((now,),) = session.execute("SELECT mz_now()::text").fetchall()
    assert 0 < int(read_ts) <= int(now)
    assert none is None


def test_the_statement_that_reads_the_log_runs_in_it(session: Session) -> None:
    query = (
        f"SELECT pid = pg_backend_pid(), finished_at, finished_status FROM {_LOG} ORDER BY execution_id DESC LIMIT 1"
    )
    assert session.execute(query.encode()).fetchall() == [(True, None, None)]


def test_statements_of_one_text_are_told_apart(session: Session) -> None:
    with pytest.raises(psycopg.Error):
        session.execute("SELECT 1; SELECT 2 FROM t; SELECT 1 / 0 /* three */; SELECT 4")
    rows = told(session, "/* three */")
    assert [row[:2] for row in rows] == [("success", None), ("success", None), ("error", "22012")]


def test_cancelled_statements_are_told_so(session: Session) -> None:
    session.execute("SET statement_timeout = '50 ms'")
    with pytest.raises(psycopg.Error):
        session.execute("SELECT pg_sleep(60) /* four */")
    session.execute("RESET statement_timeout")
    assert told(session, "/* four */") == [("canceled", "57014", None)]


def test_each_sees_its_own_and_who_monitors_all(server: MemoryServer, session: Session) -> None:
    with as_role(server, "ada") as ada, as_role(server, "watching") as watching:
        ada.execute("SELECT 1 /* of ada */")
        session.execute("SELECT 1 /* of another */")
        assert told(ada, "/* of ada */", "authenticated_user, application_name, database_name, session_kind") == [
            ("ada", "app", "headwater", "client backend")
        ]
        assert told(ada, "/* of another */") == []
        for each in (watching, session):
            assert len(told(each, "/* of ada */")) == len(told(each, "/* of another */")) == 1
        ada.execute("SET application_name = 'other'")


def test_secrets_are_not_told(session: Session) -> None:
    session.execute("CREATE ROLE hidden LOGIN PASSWORD 'hunter2-hunter2'")
    session.execute("CREATE SECRET s AS 'hunter2-hunter2'")
    query = f"SELECT count(*) FROM {_LOG} WHERE sql LIKE '%hunter' || '2%' AND sql NOT LIKE '%{_LOG}%'"
    assert session.execute(query.encode()).fetchall() == [(0,)]
    assert told(session, "CREATE SECRET s", "sql") == [("CREATE SECRET s AS '…'",)]


def test_sessions_over_http_are_told_with_their_kind(server: MemoryServer, session: Session) -> None:
    with api_of(server) as http, client_of(http) as client, socket_to(http) as socket:
        asked(client, "SELECT generate_series(1, 3) /* five */")
        socket.rows("SELECT generate_series(1, 3) /* five */")
        columns = "session_kind, rows_returned, result_size > 0"
        assert told(session, "/* five */", columns) == [
            ("http client", 3, True),
            ("websocket client", 3, True),
        ]


def test_a_subscription_reads_the_log(session: Session) -> None:
    session.execute("SELECT 1 /* six */")
    session.execute("BEGIN")
    session.execute(
        f"DECLARE c CURSOR FOR SUBSCRIBE (SELECT sql FROM {_LOG} WHERE sql = 'SELECT 1 /* six */')".encode()
    )
    assert [row[2:] for row in session.execute("FETCH 1 FROM c").fetchall()] == [("SELECT 1 /* six */",)]
    session.execute("ROLLBACK")


def record(sql: str = "SELECT 1", application: str = "") -> StatementRecord:
    session = LoggedSession(1, "headwater", "headwater", "client backend")
    return StatementRecord(session, 10, application, sql, "select", 0, 0)


def test_only_the_newest_are_kept() -> None:
    log = StatementLog(SystemClock(), 10)
    for _ in range(25):
        log.begin(record())
    assert [each.number for each in log.statuses()] == list(range(16, 26))


def test_a_page_of_the_console_pushes_nobody_out() -> None:
    log = StatementLog(SystemClock(), 40)
    for number in range(200):
        log.begin(record(application="" if number % 10 == 0 else CONSOLE_PAGES))
    assert [each.number for each in log.statuses()] == [*range(1, 192, 10), 199, 200]


def test_texts_are_cut_and_bounded_together() -> None:
    log = StatementLog(SystemClock(), 10_000)
    for _ in range(3_000):
        log.begin(record("x" * 1_000_000))
    kept = log.statuses()
    assert {len(each.sql) for each in kept} == {4_096}
    assert len(kept) == (4 << 20) // 4_096


def test_what_becomes_a_secret_is_cut_out_of_what_was_told_before() -> None:
    log = StatementLog(SystemClock(), 10)
    log.begin(record("SELECT 'becomes-a-secret-later'"))
    log.begin(record("CREATE SECRET s AS 'never-told'"))
    assert next(each.sql for each in log.statuses()) == "SELECT 'becomes-a-secret-later'"
    remember(["becomes-a-secret-later"])
    told = [each.sql for each in log.statuses()]
    assert told[0] == "SELECT '…'" and "never-told" not in told[1]
    assert [each.sql for each in log.statuses()] == told


async def _longest_turn(work: Coroutine[Any, Any, object]) -> float:
    """The longest time for which the work keeps the event loop from others, in seconds."""
    running = asyncio.ensure_future(work)
    longest, before = 0.0, time.perf_counter()
    while not running.done():
        await asyncio.sleep(0)
        longest, before = max(longest, time.perf_counter() - before), time.perf_counter()
    await running
    return longest


async def test_telling_many_new_texts_leaves_turns_to_others() -> None:
    log = StatementLog(SystemClock(), STATEMENTS_MAX)
    for number in range(STATEMENTS_MAX - 1):
        log.begin(record(f"SELECT 'password', {number}"))
    ended = record()
    log.begin(ended)
    ended.ended_ns = log.now_ns()
    assert await _longest_turn(log.prepare()) < 0.1
    told = log.statuses()
    assert {each.finished_at for each in told[:-1]} == {None}
    assert told[-1].finished_at is not None and told[-1] is log.statuses()[-1]


def test_a_log_that_is_off_keeps_nothing(server: MemoryServer) -> None:
    log = server.environment.observed.statement_log
    server.environment.observed.statement_log = StatementLog(SystemClock(), 0)
    try:
        with server.connect() as session:
            session.execute("SELECT 1")
            assert session.execute(f"SELECT count(*) FROM {_LOG}".encode()).fetchall() == [(0,)]
    finally:
        server.environment.observed.statement_log = log
