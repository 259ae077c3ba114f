"""ASSERT NOT NULL: a materialized view with a NULL in an asserted column answers with an error until it has none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server.memory_server import memory_server

Session = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with memory_server() as server, server.connect() as connection:
        connection.execute('CREATE TABLE t (a int, "B c" text)')
        connection.execute("INSERT INTO t VALUES (1, 'x'), (2, NULL)")
        yield connection


def test_reads_fail_while_an_asserted_column_is_null(session: Session) -> None:
    session.execute("""CREATE MATERIALIZED VIEW v
        WITH (ASSERT NOT NULL = "B c", assert not null a, RETAIN HISTORY FOR '1h') AS
        SELECT a, "B c", NULL::int AS free FROM t""")
    with pytest.raises(psycopg.errors.NotNullViolation, match='column "B c" must not be null'):
        session.execute("SELECT * FROM v")
    session.execute("UPDATE t SET \"B c\" = 'y' WHERE a = 2")
    assert session.execute("SELECT * FROM v ORDER BY 1").fetchall() == [(1, "x", None), (2, "y", None)]
    session.execute("INSERT INTO t VALUES (NULL, 'z')")
    with pytest.raises(psycopg.errors.NotNullViolation, match='column "a" must not be null'):
        session.execute("SELECT count(a) FROM v")
    session.execute("DELETE FROM t WHERE a IS NULL")
    session.execute("ALTER TABLE t RENAME TO renamed")
    ((_, created),) = session.execute("SHOW CREATE MATERIALIZED VIEW v").fetchall()
    session.execute("DROP MATERIALIZED VIEW v")
    session.execute(created)
    assert session.execute('SELECT "B c" FROM v WHERE a = 1').fetchall() == [("x",)]
    session.execute("DROP MATERIALIZED VIEW v")
    session.execute("ALTER TABLE renamed RENAME TO t")


@pytest.mark.parametrize(
    ("options", "sqlstate"),
    [
        ("ASSERT NOT NULL nothing", "42703"),
        ("ASSERT NOT NULL a, ASSERT NOT NULL a", "42701"),
        ("ASSERT NOT NULL", "42601"),
        ("ASSERT NOT NULL = a.b", "42601"),
        ("ASSERT NULL a", "42601"),
    ],
)
def test_what_names_no_column_once_is_refused(session: Session, options: str, sqlstate: str) -> None:
    with pytest.raises(psycopg.Error) as failure:
        session.execute(f"CREATE MATERIALIZED VIEW w WITH ({options}) AS SELECT a FROM t".encode())
    assert failure.value.sqlstate == sqlstate
