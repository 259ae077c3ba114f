"""Cursors that code in PL/pgSQL opens: how long they last, and what ends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.server.memory_server import memory_server

_OPENING = """CREATE FUNCTION opened(c refcursor) RETURNS refcursor LANGUAGE plpgsql AS $$
BEGIN
    OPEN c FOR SELECT g FROM generate_series(1, 3) AS g;
    RETURN c;
END $$"""


@pytest.fixture
def connection() -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    with memory_server() as server, server.connect() as connection:
        yield connection


def _failure(connection: psycopg.Connection[tuple[Any, ...]], sql: str) -> str | None:
    with pytest.raises(psycopg.Error) as raised:
        connection.execute(sql.encode())
    return raised.value.sqlstate


def test_a_cursor_lasts_as_long_as_the_transaction_that_has_opened_it(
    connection: psycopg.Connection[tuple[Any, ...]],
) -> None:
    connection.execute(_OPENING)
    with connection.transaction():
        assert connection.execute("SELECT opened('mine'), opened(NULL)").fetchall() == [
            ("mine", "<unnamed portal 1>"),
        ]
        assert connection.execute("FETCH 2 FROM mine").fetchall() == [(1,), (2,)]
        assert connection.execute('FETCH ALL FROM "<unnamed portal 1>"').fetchall() == [(1,), (2,), (3,)]
        assert connection.execute("SELECT name FROM pg_cursors ORDER BY name").fetchall() == [
            ("<unnamed portal 1>",),
            ("mine",),
        ]
    assert _failure(connection, "FETCH FROM mine") == "34000"
    connection.execute("SELECT opened('mine')")
    assert _failure(connection, "FETCH FROM mine") == "34000"


def test_what_a_failed_block_has_opened_is_closed_with_it(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    told: list[str | None] = []
    connection.add_notice_handler(lambda notice: told.append(notice.message_primary))
    connection.execute("""DO $$
    DECLARE c refcursor := 'mine'; n int;
    BEGIN
        BEGIN
            OPEN c FOR SELECT 1;
            PERFORM 1 / 0;
        EXCEPTION WHEN division_by_zero THEN
            OPEN c FOR SELECT 2;
        END;
        FETCH c INTO n;
        RAISE NOTICE '% in %', n, c;
        BEGIN
            OPEN c FOR SELECT 3;
        EXCEPTION WHEN duplicate_cursor THEN
            RAISE NOTICE '%', SQLERRM;
        END;
    END $$""")
    assert told == ["2 in mine", 'cursor "mine" already in use']


def test_a_loop_over_a_cursor_can_be_cancelled_and_leaves_nothing_open(
    connection: psycopg.Connection[tuple[Any, ...]],
) -> None:
    connection.execute("SET statement_timeout = '300ms'")
    endless = """DO $$
    DECLARE c CURSOR FOR SELECT g FROM generate_series(1, 100) AS g;
    BEGIN
        LOOP
            FOR r IN c LOOP NULL; END LOOP;
        END LOOP;
    END $$"""
    assert _failure(connection, endless) == "57014"
    connection.execute("SET statement_timeout = 0")
    assert connection.execute("SELECT count(*) FROM pg_cursors").fetchall() == [(0,)]


def test_a_cursor_reads_by_the_rights_of_who_opens_it(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    connection.execute("CREATE TABLE secrets (a int)")
    connection.execute("CREATE ROLE reader")
    code = "DECLARE c CURSOR FOR SELECT a FROM secrets; n int; BEGIN OPEN c; FETCH c INTO n; RETURN n; END"
    connection.execute(f"CREATE FUNCTION peeked() RETURNS int LANGUAGE plpgsql AS $${code}$$".encode())
    connection.execute(f"CREATE FUNCTION shown() RETURNS int LANGUAGE plpgsql SECURITY DEFINER AS $${code}$$".encode())
    connection.execute("SET ROLE reader")
    assert _failure(connection, "SELECT peeked()") == "42501"
    assert connection.execute("SELECT shown()").fetchall() == [(None,)]
