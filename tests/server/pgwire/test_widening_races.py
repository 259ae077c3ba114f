"""Several sessions write to a column at once that becomes wide meanwhile: each acknowledged row is there, once."""

from __future__ import annotations

import contextlib
import threading
from decimal import Decimal

import psycopg
import pytest

from server.session.session import Session
from tests.server.memory_server import MemoryServer, memory_server

pytestmark = pytest.mark.timeout(300)

_SESSIONS, _ROWS = 4, 12


def _number(session: int, at: int) -> Decimal:
    """Returns numbers of which one in five fits no decimal, in another place for each session."""
    return Decimal(f"{at + 1}e40") if at % 5 == session else Decimal(f"{at}.50")


def _write(server: MemoryServer, session: int, keyed: bool, failures: list[Exception]) -> None:
    try:
        with server.connect() as connection:
            connection.autocommit = True
            for at in range(_ROWS):
                connection.execute("INSERT INTO raced VALUES (%s, %s, 0)", (session * 100 + at, _number(session, at)))
                if keyed:
                    connection.execute("UPDATE raced SET m = m + n WHERE id = %s", (session * 100 + at,))
    except Exception as error:  # noqa: BLE001  (whatever it is, the test tells of it)
        failures.append(error)


@pytest.mark.parametrize("keyed", [False, True])
def test_no_row_is_lost_or_doubled_while_columns_become_wide(keyed: bool) -> None:
    failures: list[Exception] = []
    with memory_server() as server, server.connect() as connection:
        connection.autocommit = True
        connection.execute(f"CREATE TABLE raced (id int {'PRIMARY KEY' if keyed else ''}, n numeric, m numeric)")
        connection.execute("INSERT INTO raced VALUES (-1, 1.500, 0)")
        threads = [
            threading.Thread(target=_write, args=(server, number, keyed, failures)) for number in range(_SESSIONS)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        found = connection.execute("SELECT id, n::text, m::text FROM raced ORDER BY id").fetchall()
    assert failures == []
    written = {
        number * 100 + at: format(_number(number, at), "f") for number in range(_SESSIONS) for at in range(_ROWS)
    }
    expected = [(-1, "1.500", "0"), *((id_, text, text if keyed else "0") for id_, text in written.items())]
    assert found == expected


def test_an_open_transaction_sees_the_past_or_fails() -> None:
    with memory_server() as server, server.connect() as ours, server.connect() as theirs:
        theirs.autocommit = True
        ours.autocommit = True
        theirs.execute("CREATE TABLE raced (id int, n numeric)")
        theirs.execute("INSERT INTO raced VALUES (1, 1.50), (2, NULL)")
        ours.execute("BEGIN")
        before = ours.execute("SELECT id, n::text FROM raced ORDER BY id").fetchall()
        theirs.execute("INSERT INTO raced VALUES (3, 1e40)")
        with contextlib.suppress(psycopg.errors.SerializationFailure):
            assert ours.execute("SELECT id, n::text FROM raced ORDER BY id").fetchall() == before
        ours.execute("ROLLBACK")
        # The past, read by the names of now.
        assert ours.execute("SELECT count(n), max(n) FROM raced").fetchall() == [(2, Decimal("1e40"))]


def test_a_transaction_that_wrote_for_the_narrow_column_is_to_be_retried() -> None:
    with memory_server() as server, server.connect() as ours, server.connect() as theirs:
        theirs.autocommit = True
        ours.autocommit = True
        theirs.execute("CREATE TABLE raced (id int, n numeric)")
        for retried in (False, True):
            ours.execute("BEGIN")
            ours.execute("INSERT INTO raced VALUES (1, 1.50)")
            if retried:
                ours.execute("COMMIT")
                break
            theirs.execute("INSERT INTO raced VALUES (2, 'NaN')")
            with pytest.raises(psycopg.errors.SerializationFailure):
                ours.execute("COMMIT")
        assert theirs.execute("SELECT id, n::text FROM raced ORDER BY id").fetchall() == [(1, "1.50"), (2, "NaN")]


def test_a_subscription_ends_once_a_column_is_wide() -> None:
    with memory_server() as server, server.connect() as ours, server.connect() as theirs:
        ours.autocommit = theirs.autocommit = True
        theirs.execute("CREATE TABLE raced (id int, n numeric)")
        theirs.execute("INSERT INTO raced VALUES (1, 1.50)")
        ours.execute("BEGIN")
        ours.execute("DECLARE changes CURSOR FOR SUBSCRIBE raced")
        assert [row[2:] for row in ours.execute("FETCH 1 changes").fetchall()] == [(1, Decimal("1.50"))]
        theirs.execute("INSERT INTO raced VALUES (2, 1e40)")
        with pytest.raises(psycopg.Error, match="concurrent update"):
            ours.execute("FETCH 1 changes")
        ours.execute("ROLLBACK")
        ours.execute("BEGIN")
        ours.execute("DECLARE changes CURSOR FOR SUBSCRIBE raced")
        found = sorted(row[2:] for row in ours.execute("FETCH 2 changes").fetchall())
        assert found == [(1, Decimal("1.50")), (2, Decimal("1e40"))]


def test_a_failed_transaction_has_no_savepoint_of_ours() -> None:
    with memory_server() as server, server.connect() as ours:
        ours.autocommit = True
        ours.execute("CREATE TABLE raced (id int PRIMARY KEY, n numeric)")
        ours.execute("INSERT INTO raced VALUES (1, 1.50)")
        ours.execute("BEGIN")
        with pytest.raises(psycopg.errors.UniqueViolation):
            ours.execute("INSERT INTO raced VALUES (1, 1e40)")
        sessions = [each for each in server.environment.clients.sessions.values() if isinstance(each, Session)]
        (failed,) = [found for each in sessions if (found := each.transactions.current) is not None and found.failed]
        assert failed.savepoints == []
        ours.execute("ROLLBACK")
        assert ours.execute("SELECT id, n::text FROM raced").fetchall() == [(1, "1.50")]
