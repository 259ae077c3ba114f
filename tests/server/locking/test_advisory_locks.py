"""Advisory locks beside PostgreSQL's: who gets them, who waits, until when, and how pg_locks shows them."""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import psycopg
import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.functions.system.lock_lookup import AdvisoryKey
from planner.plans.locks import TableMode
from server.ledgers.locks import ADVISORY_MAX, AdvisoryResource, Locks
from server.session.alone import run_alone
from server.session.notices import Notices
from server.writes.unstorable import Unfitting
from tests.judge import Judge
from tests.server.memory_server import memory_server

_Connect = Callable[[], "psycopg.Connection[Any]"]


@pytest.fixture(scope="module")
def ours() -> Iterator[_Connect]:
    with memory_server() as server:
        yield server.connect


class _Sessions:
    """Sessions by number on one of the servers, and one that watches them."""

    def __init__(self, connect: _Connect, stack: contextlib.ExitStack) -> None:
        self._opened = [stack.enter_context(contextlib.closing(connect())) for _ in range(4)]
        self._watcher = self._opened.pop()
        self._numbers = [each.info.backend_pid for each in self._opened]
        self._pids = {str(pid): f"pid {number}" for number, pid in enumerate(self._numbers)}
        self._waiting: dict[int, threading.Thread] = {}
        self._answers: list[list[list[object]]] = [[] for _ in self._opened]
        for number, each in enumerate(self._opened):
            each.add_notice_handler(lambda notice, number=number: self._tell(number, notice))  # type: ignore[misc]

    def _tell(self, number: int, notice: psycopg.errors.Diagnostic) -> None:
        self._answers[number].append([notice.severity, notice.sqlstate, notice.message_primary])

    def _named(self, text: str | None) -> str:
        """Returns a text with sessions' numbers for their pids, and without the oid of the database."""
        found = re.sub(r"\d+", lambda match: self._pids.get(match[0], match[0]), text or "")
        return re.sub(r"advisory lock \[\d+,", "advisory lock [", found)

    def _answer(self, number: int, sql: str) -> None:
        try:
            cursor = self._opened[number].execute(sql.encode())
            rows = cursor.fetchall() if cursor.description else None
            answer = [sql, cursor.statusmessage, self._named(repr(rows))]
        except psycopg.Error as error:
            answer = [sql, error.sqlstate, error.diag.message_primary, self._named(error.diag.message_detail)]
        self._answers[number].append([self._named(answer[0]), *answer[1:]])

    def _is_waiting(self, number: int) -> bool:
        sql = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = {self._numbers[number]}"
        return self._watcher.execute(sql).fetchone() == (1,)

    def forget(self) -> None:
        """Forgets the answers so far."""
        for answers in self._answers:
            answers.clear()

    def run(self, script: str) -> list[list[list[object]]]:
        """Returns the answers of a script's statements and the notices, for each session.

        `1& sql` begins a statement, and goes on once it waits for a lock; `1 .` waits for its answer; `1x` disconnects.
        """
        for line in script.strip().splitlines():
            place, _, sql = line.strip().partition(" ")
            number = int(place[0])
            sql = re.sub(r":pid(\d)", lambda match: str(self._numbers[int(match[1])]), sql)
            if place.endswith("&"):
                thread = self._waiting[number] = threading.Thread(target=self._answer, args=(number, sql))
                thread.start()
                while not self._is_waiting(number):
                    assert thread.is_alive(), f"{line} has not waited: {self._answers}"
            elif sql == ".":
                self._waiting.pop(number).join()
            elif place.endswith("x"):
                self._opened[number].close()
            else:
                self._answer(number, sql)
        assert not self._waiting, "a script ends with nobody waiting"
        return self._answers


_SHOW = (
    "SELECT locktype, database = (SELECT oid FROM pg_database WHERE datname = current_database()), relation, page, "
    "tuple, virtualxid, transactionid, classid, objid, objsubid, pid, mode, granted FROM pg_locks "
    "WHERE locktype = 'advisory' ORDER BY classid, objid, objsubid, pid, mode, granted"
)
_SCRIPTS = {
    "one at a time, counted": f"""
        0 SELECT pg_advisory_lock(5)
        0 SELECT pg_advisory_lock(5) AS again
        1 SELECT pg_try_advisory_lock(5) AS got
        1 SELECT pg_try_advisory_lock_shared(5)
        1 SELECT pg_advisory_unlock(5)
        0 {_SHOW}
        0 SELECT pg_advisory_unlock(5)
        1 SELECT pg_try_advisory_lock(5)
        0 SELECT pg_advisory_unlock(5)
        0 SELECT pg_advisory_unlock(5)
        1 SELECT pg_try_advisory_lock(5)
        1 SELECT pg_advisory_unlock_shared(5)
        1 SELECT pg_advisory_unlock_all()
        0 SELECT pg_try_advisory_lock(5), pg_advisory_unlock_all()
        1 {_SHOW}
    """,
    "keys of both forms": f"""
        0 SELECT pg_advisory_lock(1), pg_advisory_lock(0, 1), pg_advisory_lock_shared(-1), pg_advisory_lock(-1, -2)
        0 SELECT pg_advisory_lock(9223372036854775807), pg_advisory_lock((-9223372036854775808)::bigint)
        0 SELECT pg_advisory_lock(2147483647, (-2147483648)::int), pg_advisory_xact_lock(7)
        0 {_SHOW}
        1 SELECT pg_try_advisory_lock(1), pg_try_advisory_lock(0, 1), pg_try_advisory_lock(1, 0)
        1 SELECT pg_try_advisory_lock_shared(-1), pg_try_advisory_lock(-1), pg_try_advisory_lock(4294967296)
        1 SELECT pg_advisory_lock(NULL), pg_try_advisory_lock(1, NULL), pg_advisory_unlock(NULL)
        1 SELECT pg_advisory_lock('x')
        1 SELECT pg_advisory_lock(1.5)
        1 SELECT pg_advisory_lock()
        1 SELECT pg_advisory_lock(3000000000, 1)
        1 {_SHOW}
    """,
    "until the transaction ends": f"""
        0 BEGIN
        0 SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock_shared(2), pg_try_advisory_xact_lock(3, 4)
        0 SELECT pg_try_advisory_xact_lock_shared(5), pg_advisory_lock(6)
        0 SELECT pg_advisory_unlock(1)
        0 SELECT pg_advisory_unlock_all()
        0 SELECT pg_advisory_lock(6)
        0 {_SHOW}
        1 SELECT pg_try_advisory_xact_lock(1), pg_try_advisory_xact_lock_shared(2), pg_try_advisory_lock_shared(5)
        0 COMMIT
        0 {_SHOW}
        0 BEGIN
        0 SELECT pg_advisory_xact_lock(1), pg_advisory_lock(7)
        0 ROLLBACK
        0 {_SHOW}
        0 BEGIN
        0 SELECT pg_advisory_xact_lock(1), pg_advisory_lock(8)
        0 SELECT 1 / 0
        1 {_SHOW}
        0 ROLLBACK
        0 SELECT pg_advisory_xact_lock(9)
        1 {_SHOW}
    """,
    "savepoints": f"""
        0 BEGIN
        0 SELECT pg_advisory_xact_lock(1)
        0 SAVEPOINT s
        0 SELECT pg_advisory_xact_lock(1), pg_advisory_xact_lock(2), pg_advisory_lock(3)
        0 ROLLBACK TO s
        0 {_SHOW}
        0 SELECT pg_advisory_xact_lock(4)
        0 RELEASE s
        0 {_SHOW}
        0 COMMIT
        0 {_SHOW}
    """,
    "of both kinds at once": f"""
        0 BEGIN
        0 SELECT pg_advisory_lock(1), pg_advisory_xact_lock(1), pg_advisory_xact_lock_shared(1)
        0 {_SHOW}
        0 SELECT pg_advisory_unlock(1)
        0 SELECT pg_advisory_unlock(1)
        1 SELECT pg_try_advisory_lock(1)
        0 SELECT pg_advisory_lock_shared(1)
        0 COMMIT
        1 SELECT pg_try_advisory_lock(1), pg_try_advisory_lock_shared(1)
        0 {_SHOW}
    """,
    "who waits is next": f"""
        0 SELECT pg_advisory_lock(1)
        1& SELECT pg_advisory_lock(1)
        2& SELECT pg_advisory_lock_shared(1)
        0 {_SHOW}
        0 SELECT pg_blocking_pids(:pid0), pg_blocking_pids(:pid1), pg_blocking_pids(:pid2), pg_blocking_pids(1)
        0 SELECT pg_isolation_test_session_is_blocked(:pid1, ARRAY[:pid0])
        0 SELECT pg_isolation_test_session_is_blocked(:pid1, '{{}}')
        0 SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE pid IN (:pid1, :pid2)
        0 SELECT pg_advisory_unlock(1)
        1 .
        0 SELECT pg_try_advisory_lock_shared(1)
        1 SELECT pg_advisory_unlock(1)
        2 .
        0 SELECT pg_try_advisory_lock_shared(1)
        0 {_SHOW}
    """,
    "a holder goes before those who wait": f"""
        0 SELECT pg_advisory_lock_shared(1)
        2 SELECT pg_advisory_lock_shared(1)
        1& SELECT pg_advisory_lock(1)
        0 SELECT pg_advisory_lock_shared(1)
        0& SELECT pg_advisory_lock(1)
        2 SELECT pg_advisory_unlock_shared(1)
        0 .
        0 SELECT pg_advisory_unlock(1), pg_advisory_unlock_shared(1)
        0 SELECT pg_advisory_unlock_shared(1)
        1 .
        2 {_SHOW}
    """,
    "waits that end": f"""
        0 SELECT pg_advisory_lock(1)
        1 SET lock_timeout = '10ms'
        1 SELECT pg_advisory_lock(1)
        1 SELECT pg_advisory_xact_lock_shared(1)
        1 RESET lock_timeout
        1 SET statement_timeout = '30ms'
        1 SELECT pg_advisory_lock(1)
        1 RESET statement_timeout
        1& SELECT pg_advisory_lock(1)
        0 SELECT pg_cancel_backend(:pid1)
        1 .
        1 BEGIN
        1 SELECT pg_advisory_xact_lock(2)
        1& SELECT pg_advisory_xact_lock(1)
        0 SELECT pg_cancel_backend(:pid1)
        1 .
        0 {_SHOW}
        1 ROLLBACK
        1& SELECT pg_advisory_lock(1)
        0 SELECT pg_advisory_unlock(1)
        1 .
        0 {_SHOW}
    """,
    "circles": f"""
        0 SELECT pg_advisory_lock(1)
        1 SELECT pg_advisory_lock(2, 3)
        0& SELECT pg_advisory_xact_lock(2, 3)
        1 SELECT pg_advisory_lock(1)
        1 SELECT pg_advisory_unlock(2, 3)
        0 .
        0 {_SHOW}
    """,
    "circles within transactions": """
        0 BEGIN
        1 BEGIN
        0 SELECT pg_advisory_xact_lock_shared(1)
        1 SELECT pg_advisory_xact_lock_shared(1)
        0& SELECT pg_advisory_xact_lock(1)
        1 SELECT pg_advisory_xact_lock(1)
        0 .
        1 COMMIT
        0 COMMIT
    """,
    "ends of sessions": f"""
        0 SELECT pg_advisory_lock(1), pg_advisory_lock(2)
        1& SELECT pg_advisory_lock(1)
        0x
        1 .
        1 SELECT pg_advisory_lock(3), pg_advisory_lock(3)
        1 DISCARD ALL
        2 {_SHOW}
    """,
    "where tools put them": f"""
        0 CREATE TABLE IF NOT EXISTS n (a int)
        0 DELETE FROM n
        0 INSERT INTO n VALUES (1), (2), (3)
        0 SELECT a, pg_try_advisory_lock(a) FROM n ORDER BY a
        1 SELECT a, pg_try_advisory_lock(a) AS got FROM n ORDER BY a
        1 SELECT pg_try_advisory_lock(10 + n) FROM generate_series(1, 2) AS n
        1 SELECT 1 FROM pg_advisory_lock(20)
        1 SELECT * FROM pg_try_advisory_lock(1) AS got
        1 SELECT CASE WHEN pg_try_advisory_lock(21) THEN 'taken' ELSE 'busy' END
        1 SELECT pg_try_advisory_lock(hashtext('migrations')), pg_try_advisory_lock(hashtextextended('app', 1))
        1 SELECT pg_advisory_unlock(hashtext('migrations')) AS freed
        1 SELECT hashtext(repeat('xä', i)), hashtext(left('abcdefghijklmnopqr', i)) FROM generate_series(0, 30) AS i
        1 SELECT hashtextextended(repeat('ö', i), i * 123456789012 - 7) FROM generate_series(0, 30) AS i
        1 WITH l AS (SELECT pg_try_advisory_lock(22) AS got) SELECT * FROM l
        1 SELECT pg_try_advisory_lock(('x' || md5('app'))::bit(64)::bigint)
        1 PREPARE take AS SELECT pg_try_advisory_lock($1)
        1 EXECUTE take(23)
        1 BEGIN READ ONLY
        1 SELECT pg_advisory_lock(25)
        1 COMMIT
        0 {_SHOW}
        0 SELECT count(*) FROM (SELECT pg_try_advisory_lock(30 + i) FROM generate_series(1, 3) AS i OFFSET 0) AS t
        1 SELECT pg_try_advisory_lock(31)
    """,
}


def _await_ends_of_sessions(ours: _Connect) -> None:
    """Waits until the sessions of the script before have let their locks go, which they do after their clients are
    closed."""
    with ours() as connection:
        while connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone() != (0,):
            time.sleep(0.01)


@pytest.mark.parametrize("name", _SCRIPTS)
def test_advisory_locks_are_postgres(judge: Judge, ours: _Connect, name: str) -> None:
    with contextlib.ExitStack() as stack:
        judged = _Sessions(judge.connect, stack)
        # PostgreSQL looks for circles from time to time: here the second session shall find them.
        judged.run("0 SET deadlock_timeout = '10s'\n1 SET deadlock_timeout = '10ms'")
        judged.forget()
        expected = judged.run(_SCRIPTS[name])
    _await_ends_of_sessions(ours)
    with contextlib.ExitStack() as stack:
        assert _Sessions(ours, stack).run(_SCRIPTS[name]) == expected


def test_waits_over_rows_end_when_cancelled_and_go_on_when_granted(ours: _Connect) -> None:
    """What reads relations waits in other places than what reads nothing."""
    for sql in (
        "SELECT pg_advisory_xact_lock(1) FROM pg_class LIMIT 1",
        "SELECT pg_advisory_xact_lock(1) FROM waited",
        "INSERT INTO waited SELECT 2 FROM pg_advisory_xact_lock(1)",
        "SELECT count(pg_advisory_xact_lock(n)) FROM generate_series(1, 2000) AS n",
    ):
        with contextlib.ExitStack() as stack:
            sessions = _Sessions(ours, stack)
            sessions.run(
                "0 DROP TABLE IF EXISTS waited\n0 CREATE TABLE waited (a int)\n0 INSERT INTO waited VALUES (1)"
            )
            sessions.forget()
            holder, waiter, _ = sessions.run(
                f"0 SELECT pg_advisory_lock(1)\n1& {sql}\n0 SELECT pg_cancel_backend(:pid1)\n1 .\n1& {sql}\n"
                "0 INSERT INTO waited VALUES (3)\n0 SELECT pg_advisory_unlock(1)\n1 ."
            )
            assert [answer[1] for answer in holder] == ["SELECT 1", "SELECT 1", "INSERT 0 1", "SELECT 1"]
            assert waiter[0][1] == "57014" and str(waiter[1][1]).split()[0] in ("SELECT", "INSERT"), waiter


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE MATERIALIZED VIEW v AS SELECT pg_try_advisory_lock(oid::int) FROM of_locks",
        "SUBSCRIBE (SELECT pg_try_advisory_lock(1))",
        "SELECT 1 FROM of_locks WHERE pg_try_advisory_lock(oid::int)",
    ],
)
def test_what_can_take_no_lock_says_so(ours: _Connect, sql: str) -> None:
    with contextlib.closing(ours()) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS of_locks (oid bigint)")
        with pytest.raises(psycopg.errors.FeatureNotSupported):
            connection.execute(sql.encode())


def test_advisory_locks_are_bounded(ours: _Connect) -> None:
    many = "SELECT count(*) FROM (SELECT pg_advisory_lock(n) FROM generate_series(1, {}) AS n OFFSET 0) AS t"
    with contextlib.closing(ours()) as connection, contextlib.closing(ours()) as other:
        with pytest.raises(psycopg.errors.OutOfMemory):
            connection.execute(many.format(ADVISORY_MAX + 1).encode())
        with pytest.raises(psycopg.errors.OutOfMemory):
            other.execute("SELECT pg_try_advisory_lock(0)")
        other.execute("BEGIN; CREATE TABLE beside (a int); LOCK TABLE beside; ROLLBACK")
        # Those that are held may be taken more often, and what is given back makes room.
        connection.execute("SELECT pg_advisory_lock(1)")
        connection.execute("SELECT pg_advisory_unlock(2)")
        assert other.execute("SELECT pg_try_advisory_lock(0)").fetchone() == (True,)


class _LosingSession:
    """A session whose commits lose as often as told."""

    def __init__(self, losses: int) -> None:
        self.all_locks = Locks()
        self.locks = self.all_locks.of_session(1)
        self.holdings: Any = None
        self.notices = Notices(cast(Any, None), cast(Any, None))
        self.transactions = _LosingTransactions(losses)

    async def make_wide(self, columns: Unfitting) -> bool:
        raise AssertionError("no numeric is written")


class _LosingTransactions:
    def __init__(self, losses: int) -> None:
        self._losses = losses

    def ensure(self) -> Any:
        return SimpleNamespace(explicit=False, statements=0, alone=False, undisturbed=False, touched=frozenset())

    def catalog(self) -> Any:
        return SimpleNamespace(functions_of_statements=())

    async def commit(self) -> None:
        self._losses -= 1
        if self._losses >= 0:
            raise SqlError(Sqlstate.SERIALIZATION_FAILURE, "another was first")

    async def roll_back(self) -> None:
        pass


@pytest.mark.parametrize("losses", [0, 1, 3])
@pytest.mark.parametrize("held_before", [0, 2])
def test_a_statement_that_loses_and_runs_again_takes_a_sessions_locks_once(losses: int, held_before: int) -> None:
    session = _LosingSession(losses)
    taken = AdvisoryResource(1, AdvisoryKey(0, 7, 1)), TableMode.EXCLUSIVE
    for _ in range(held_before):
        session.all_locks.take_now(session.locks, *taken)

    async def run() -> Any:
        session.all_locks.take_now(session.locks, *taken)

    asyncio.run(
        run_alone(
            cast(Any, session), cast(Any, SimpleNamespace(executes=None, changes_rows=True, kind="update_stmt")), run
        )
    )
    assert session.locks.counts == {taken: held_before + 1}


def test_a_statement_that_has_given_a_lock_back_does_not_run_again() -> None:
    session, key = _LosingSession(1), AdvisoryResource(1, AdvisoryKey(0, 7, 1))
    session.all_locks.take_now(session.locks, key, TableMode.EXCLUSIVE)
    runs = []

    async def run() -> Any:
        runs.append(session.locks.release_once(key, TableMode.EXCLUSIVE))

    with pytest.raises(SqlError) as lost:
        asyncio.run(
            run_alone(
                cast(Any, session),
                cast(Any, SimpleNamespace(executes=None, changes_rows=True, kind="update_stmt")),
                run,
            )
        )
    assert (lost.value.sqlstate, runs) == (Sqlstate.SERIALIZATION_FAILURE, [True])
