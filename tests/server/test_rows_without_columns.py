"""A SELECT of no columns still has as many rows as its table."""

import psycopg
import pytest

from tests.server.memory_server import memory_server


def test_rows_without_columns_are_counted() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE t (a int)")
        connection.execute("INSERT INTO t SELECT generate_series(1, 5000)")
        assert connection.execute("SELECT FROM t").statusmessage == "SELECT 5000"
        assert connection.execute("SELECT FROM t WHERE a > 4990").statusmessage == "SELECT 10"
        assert connection.execute("SELECT FROM t ORDER BY a LIMIT 2").statusmessage == "SELECT 2"


def test_what_needs_columns_is_refused_by_name() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE bare (); CREATE VIEW seen AS SELECT FROM bare")
        for statement, reason in (
            ("CREATE DEFAULT INDEX ON bare", '"bare" has no columns to index'),
            ("CREATE DEFAULT INDEX ON seen", '"seen" has no columns to index'),
            ("CREATE SINK s FROM bare INTO FILES (PATH '/tmp/nowhere')", '"bare" has no columns'),
            ("CREATE SINK s FROM seen INTO SQLITE (PATH '/tmp/nowhere')", '"seen" has no columns'),
        ):
            with pytest.raises(psycopg.errors.FeatureNotSupported, match=reason):
                connection.execute(statement)


def test_rows_without_columns_are_copied_and_followed() -> None:
    with memory_server() as server, server.connect() as connection:
        connection.execute("CREATE TABLE bare ()")
        with connection.cursor().copy("COPY bare FROM STDIN") as copied:
            copied.write(b"\n\n\n")
        for form, rows in (("text", [b"\n"] * 3), ("csv", [b"\n"] * 3)):
            with connection.cursor().copy(f"COPY bare TO STDOUT (FORMAT {form})") as copied:
                assert [bytes(row) for row in copied] == rows
        ((time, diff),) = connection.execute("SUBSCRIBE bare UNTIL LATEST").fetchall()
        assert diff == 3
        assert connection.execute(f"SUBSCRIBE bare AS OF {time} UP TO {time}").fetchall() == []
