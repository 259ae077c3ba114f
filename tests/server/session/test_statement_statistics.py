"""pg_stat_statements: which statements are one, what is counted of them, to whom it is told, and how much is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from model.time.clock import SystemClock
from planner.syntax.statement_identity import identity, with_parameters
from server.ledgers.statement_statistics import Statistics
from tests.server.memory_server import MemoryServer, memory_server

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            for statement in (
                "CREATE ROLE ada LOGIN",
                "CREATE ROLE watching LOGIN",
                "GRANT pg_monitor TO watching",
                "CREATE TABLE t (a int, b text)",
                "GRANT ALL ON t TO ada",
            ):
                connection.execute(statement)
        yield running


@pytest.fixture
def session(server: MemoryServer) -> Iterator[Session]:
    with server.connect() as connection:
        connection.execute("SELECT pg_stat_statements_reset()")
        yield connection


def as_role(server: MemoryServer, role: str) -> Session:
    return psycopg.connect(f"host=127.0.0.1 port={server.port} user={role} dbname=headwater", autocommit=True)


def told(session: Session, columns: str = "query, calls, rows", mark: str = "%") -> list[tuple[Any, ...]]:
    query = f"SELECT {columns} FROM pg_stat_statements WHERE query LIKE '{mark}' ORDER BY query"
    return session.execute(query.encode()).fetchall()


def test_statements_that_differ_in_constants_are_one(session: Session) -> None:
    session.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')")
    session.execute("INSERT INTO t VALUES (3, 'three'), (4, 'four')")
    for number in range(3):
        session.execute(f"SELECT a FROM t WHERE a > {number} AND b <> 'x{number}'".encode())
    session.execute("select  a  FROM t WHERE a > 9 AND b <> '' -- said otherwise")
    session.execute("SELECT a FROM t WHERE a > %s", (2,))
    assert told(session, mark="% t %") == [
        ("INSERT INTO t VALUES ($1, $2), ($3, $4)", 2, 4),
        ("SELECT a FROM t WHERE a > $1", 1, 2),
        ("SELECT a FROM t WHERE a > $1 AND b <> $2", 4, 4 + 3 + 2),
    ]


def test_durations_are_those_of_calls_and_failures_are_no_calls(session: Session) -> None:
    for seconds in ("0.01", "0.03"):
        session.execute(f"SELECT pg_sleep({seconds})".encode())
    with pytest.raises(psycopg.errors.DivisionByZero):
        session.execute("SELECT 1 / 0")
    ((calls, least, largest, mean, total, deviation, plans),) = told(
        session,
        "calls, min_exec_time, max_exec_time, mean_exec_time, total_exec_time, stddev_exec_time, plans",
        "%sleep($1)",
    )
    assert calls == plans == 2 and 10 <= least < 30 <= largest
    assert total == pytest.approx(least + largest) and mean == pytest.approx(total / 2)
    assert deviation == pytest.approx((largest - least) / 2)
    assert told(session, "calls", "%/ $2") == []


def test_others_texts_are_for_readers_of_all_statistics(server: MemoryServer, session: Session) -> None:
    session.execute("SELECT count(*) FROM t WHERE a = 17")
    with as_role(server, "ada") as ada:
        ada.execute("SELECT a FROM t WHERE a = 18")
        mine = told(ada, "query, queryid IS NULL, userid::regrole::text")
        assert ("SELECT a FROM t WHERE a = $1", False, "ada") in mine
        assert ("<insufficient privilege>", True, "headwater") in mine
        assert not any("count" in query for query, *_ in mine)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ada.execute("SELECT pg_stat_statements_reset()")
    with as_role(server, "watching") as watching:
        assert told(watching, "calls", "%count%") == [(1,)]


def test_a_reset_forgets_all_or_one(session: Session) -> None:
    session.execute("SELECT a FROM t")
    session.execute("SELECT b FROM t")
    ((query,),) = told(session, "queryid", "SELECT a FROM t")
    session.execute("SELECT pg_stat_statements_reset(0, 0, %s)", (query,))
    assert told(session, "calls", "SELECT _ FROM t") == [(1,)]
    ((before,),) = session.execute("SELECT stats_reset FROM pg_stat_statements_info")
    session.execute("SELECT pg_stat_statements_reset()")
    ((after,),) = session.execute("SELECT stats_reset FROM pg_stat_statements_info")
    assert told(session, "calls", "SELECT _ FROM t") == [] and after > before


def test_the_extension_is_there_and_may_be_created(session: Session) -> None:
    notices = list[str]()
    session.add_notice_handler(lambda notice: notices.append(str(notice.message_primary)))
    session.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
    assert notices == ['extension "pg_stat_statements" already exists, skipping']
    known = session.execute("SELECT extname, extversion FROM pg_extension").fetchall()
    assert ("pg_stat_statements", "1.10") in known
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        session.execute("CREATE EXTENSION hstore")


def test_secrets_are_never_told(session: Session) -> None:
    session.execute("CREATE SECRET never AS 'never-told'")
    session.execute("CREATE ROLE kept PASSWORD 'never-told'")
    assert told(session, mark="%never-told%") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("SELECT 1", "select  2;"),
        ("SELECT 'a'", "SELECT 'b c'"),
        ("SELECT 'it''s' /* why */", "SELECT $$it's$$"),
        ("SELECT E'\\'' FROM \"T\"", "SELECT 'x' FROM \"T\""),
        ("SUBSCRIBE t AS OF 17", "subscribe t as of 18"),
    ],
)
def test_statements_are_one_whatever_their_constants_and_comments(one: str, other: str) -> None:
    assert identity(one) == identity(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("SELECT a1", "SELECT a2"), ("SELECT $1", "SELECT $2"), ("SELECT 1", "SELECT -1"), ("SELECT 'a", "SELECT 'b")],
)
def test_statements_are_two_where_more_differs(one: str, other: str) -> None:
    assert identity(one) != identity(other)


def test_parameters_are_numbered_after_those_of_the_text() -> None:
    assert with_parameters("SELECT $2, 'é', 5 -- 7") == "SELECT $2, $3, $4 -- 7"
    assert with_parameters("SELECT 'open") == "SELECT 'open"


def test_the_least_called_go_first() -> None:
    statistics = Statistics(SystemClock(), most=40)
    for number in range(40):
        for _ in range(1 + number % 4):
            statistics.add(10, "d", f"SELECT a{number}", 1, 1, None)
    statistics.add(10, "d", "SELECT more", 1, 1, 5)
    status = statistics.status()
    assert len(status.statements) == 39 and status.left_out == 2
    assert sum(each.executing.count == 1 for each in status.statements) == 10 - 2 + 1
    for number in range(5_000):
        statistics.add(10, "d", f"SELECT b{number} FROM t", 1, 1, None)
    assert len(statistics.status().statements) <= 40


def test_statements_of_one_message_count_each_for_itself() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("SELECT pg_stat_statements_reset()")
        connection.execute("SELECT 41; SELECT 42, 'x'")
        found = connection.execute("SELECT query, calls FROM pg_stat_statements WHERE query LIKE '%$1%'").fetchall()
    assert sorted(found) == [("SELECT $1", 1), ("SELECT $1, $2", 1)]
