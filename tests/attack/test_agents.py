"""Hostile callers of tools that only read: nothing is written, told or locked for others, and answers stay small."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from model.physical.columns import rows_to_arrow
from model.text.context import DEFAULT_CONTEXT
from server.agents.changes import told_changes
from server.agents.limited_answer import BYTES_MAX
from server.agents.requests import AGENT, DEVELOPER
from server.http.server import HttpServer
from server.transactions.transaction import Transaction
from server.transactions.transaction_writes import BufferedWrite
from tests.attack.loop_probe import unheld
from tests.http_api import api_of, client_of
from tests.server.agents.asking import Agent
from tests.server.memory_server import MemoryServer, memory_server

_SETUP = (
    "CREATE TABLE kept (id int PRIMARY KEY, secret text)",
    "INSERT INTO kept VALUES (1, 'x')",
    "CREATE SEQUENCE numbers",
    "CREATE VIEW tells AS SELECT pg_notify('heard', 'from a view')",
    "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM kept",
)
_WRITES = (
    "INSERT INTO kept VALUES (2, 'y')",
    "SELECT 1; INSERT INTO kept VALUES (2, 'y')",
    "SELECT 1; COMMIT; INSERT INTO kept VALUES (2, 'y')",
    "SELECT 1 -- ;\n; DELETE FROM kept",
    "SELECT 1 /* /* */ */; DELETE FROM kept; --",
    "WITH w AS (DELETE FROM kept RETURNING *) SELECT * FROM w",
    "WITH w AS (INSERT INTO kept VALUES (2, 'y') RETURNING 1) SELECT 1",
    "SELECT * FROM (WITH w AS (DELETE FROM kept RETURNING *) SELECT * FROM w) AS s",
    "SELECT * INTO taken FROM kept",
    "CREATE TABLE taken AS SELECT * FROM kept",
    "TABLE kept FOR UPDATE",
    "SELECT * FROM kept FOR SHARE",
    "SELECT * FROM (SELECT * FROM kept FOR UPDATE) AS s",
    "EXPLAIN ANALYZE DELETE FROM kept",
    "EXPLAIN ANALYZE SELECT nextval('numbers')",
    "COPY kept TO PROGRAM 'touch /nowhere/at-all'",
    "COPY (SELECT 1) TO '/nowhere/at-all'",
    "COPY kept FROM STDIN",
    "DO $$ BEGIN END $$",
    "PREPARE q AS DELETE FROM kept",
    "EXECUTE q",
    "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
    "SUBSCRIBE kept",
    "SET default_transaction_read_only = off",
    "BEGIN READ WRITE",
    "COMMIT",
    "DROP TABLE kept",
    "TRUNCATE kept",
    "NOTIFY heard, 'x'",
    "LISTEN heard",
    "LOCK TABLE kept",
    "CALL nothing()",
    "GRANT SELECT ON kept TO PUBLIC",
    "ALTER ROLE headwater PASSWORD 'x'",
    "SELECT nextval('numbers')",
    "SELECT setval('numbers', 100)",
    "SELECT pg_notify('heard', 'x')",
    "SELECT * FROM tells",
    "SELECT CASE WHEN true THEN pg_notify('heard', 'x') END",
    "SELECT id FROM kept WHERE pg_notify('heard', secret) IS NOT NULL",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "SELECT set_config('default_transaction_read_only', 'off', false), nextval('numbers')",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_try_advisory_lock(1)",
    "SELECT pg_advisory_xact_lock(1)",
    "SELECT pg_advisory_unlock_all()",
    "SELECT pg_reload_conf()",
    "SELECT pg_cancel_backend({pid})",
    "SELECT pg_terminate_backend({pid})",
)


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running, running.connect() as connection:
        for sql in _SETUP:
            connection.execute(sql.encode())
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server) as listening:
        yield listening


@pytest.fixture(scope="module")
def watching(server: MemoryServer) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """A session that hears what is notified, and that may be signalled."""
    with server.connect() as connection:
        connection.execute("LISTEN heard")
        yield connection


def _state(connection: psycopg.Connection[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """All that a caller may have changed."""
    asked = (
        "SELECT * FROM kept",
        "SELECT last_value, is_called FROM numbers",
        "SELECT name FROM mz_objects WHERE id LIKE 'u%' ORDER BY 1",
        "SELECT locktype FROM pg_locks WHERE locktype = 'advisory'",
        "SELECT setting FROM pg_settings WHERE name = 'default_transaction_read_only'",
    )
    return [connection.execute(sql.encode()).fetchall() for sql in asked]


@pytest.mark.in_part(4)
@pytest.mark.parametrize("sql", _WRITES)
def test_tools_that_read_do_nothing_else(
    http: HttpServer, watching: psycopg.Connection[tuple[Any, ...]], sql: str
) -> None:
    text = sql.format(pid=watching.info.backend_pid) if "{pid}" in sql else sql
    before = _state(watching)
    refusals = {"0A000", "25006", "42601", "42501", "42883", "26000"}
    assert Agent(http).failure("query", sql=text) in refusals
    # The search path of this tool has no schema of users.
    nowhere = {"42P01", "3F000"}
    assert Agent(http, path=DEVELOPER).failure("query_system_catalog", sql=text) in refusals | nowhere
    explained = Agent(http)
    try:
        explained.call("explain_incrementality", sql=text)
    except AssertionError:
        assert explained.failure("explain_incrementality", sql=text) in refusals | {"55000"}
    assert _state(watching) == before
    assert list(watching.notifies(timeout=0)) == []


@pytest.mark.parametrize(
    "name",
    ["kept; DELETE FROM kept", 'kept" ; DELETE FROM kept; --', "kept\" WHERE pg_notify('heard', 'x') IS NULL --", ""],
)
def test_names_and_columns_are_no_text_of_sql(
    http: HttpServer, watching: psycopg.Connection[tuple[Any, ...]], name: str
) -> None:
    before, agent = _state(watching), Agent(http)
    assert agent.failure("read_data_product", name=name) in {"42P01", "42601", "42602"}
    assert agent.failure("read_data_product", name="counted", key={name: "1"}) in {"42703", "42601", "42602"}
    assert agent.failure("check_view", name=name) in {"42P01", "42601", "42602"}
    assert agent.failure("get_data_product_details", schema=name, name=name) == "42P01"
    assert agent.failure("query", sql="SELECT 1", as_of="1; DELETE FROM kept") == "22023"
    assert agent.call("read_data_product", name="counted", key={"n": "1"})["rows"] == [["1"]]
    assert agent.failure("read_data_product", name="counted", key={"n": "1 OR true"}) == "22P02"
    assert _state(watching) == before


def test_statements_of_the_write_tool_are_changes_of_rows(
    http: HttpServer, watching: psycopg.Connection[tuple[Any, ...]]
) -> None:
    before, agent = _state(watching), Agent(http)
    for sql in (
        "COMMIT",
        "SELECT 1; COMMIT",
        "SELECT * INTO taken FROM kept",
        "DROP TABLE kept",
        "COPY kept TO '/nowhere/at-all'",
        "SET ROLE headwater",
        "EXPLAIN ANALYZE DELETE FROM kept",
    ):
        assert agent.failure("preview_writes", statements=["DELETE FROM kept", sql]) in {"0A000", "42601"}
    assert _state(watching) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT setval('numbers', 100)",
        "INSERT INTO kept VALUES (setval('numbers', 100), 'y')",
        "UPDATE kept SET secret = set_config('statement_timeout', '0', false)",
        "SELECT set_config('statement_timeout', '0', false)",
        "SELECT set_config('default_transaction_read_only', 'off', true)",
        "DELETE FROM kept WHERE pg_notify('heard', secret) IS NOT NULL",
        "INSERT INTO kept SELECT 3, 'y' FROM tells",
        "SELECT * FROM tells",
        "SELECT pg_advisory_lock(1)",
        "SELECT pg_try_advisory_xact_lock_shared(1)",
        "SELECT pg_advisory_unlock_all()",
        "SELECT pg_reload_conf()",
        "SELECT pg_cancel_backend({pid})",
        "SELECT pg_terminate_backend({pid})",
        "SELECT * FROM kept FOR UPDATE",
        "SELECT * FROM kept FOR KEY SHARE",
        "SELECT * FROM (SELECT * FROM kept FOR UPDATE) AS s",
        "INSERT INTO kept SELECT id + 10, secret FROM kept FOR UPDATE",
        "WITH w AS (DELETE FROM kept RETURNING *) SELECT * FROM (SELECT * FROM kept FOR SHARE) AS s",
    ],
)
def test_previews_do_nothing_that_a_discard_would_leave(
    http: HttpServer, watching: psycopg.Connection[tuple[Any, ...]], sql: str
) -> None:
    text = sql.format(pid=watching.info.backend_pid) if "{pid}" in sql else sql
    before = _state(watching)
    assert Agent(http).failure("preview_writes", statements=["DELETE FROM kept WHERE id = 0", text]) in {
        "25006",
        "0A000",
    }
    assert _state(watching) == before
    assert list(watching.notifies(timeout=0)) == []


def test_telling_of_many_changes_holds_nobody(server: MemoryServer) -> None:
    with server.connect() as connection:
        columns = ", ".join(f"c{i} date" for i in range(49))
        connection.execute(f"CREATE TABLE broad ({columns})".encode())
    state, loop = server.environment.catalog.state, server.loop
    (item,) = (each for each in state.items.values() if each.name == "broad")
    role = state.role_named("headwater")
    assert role is not None
    day = datetime.date(2000, 1, 1)
    rows = rows_to_arrow([tuple(day + datetime.timedelta(i + at) for at in range(49)) for i in range(5000)], item.desc)
    transaction = Transaction(explicit=True, started=datetime.datetime.now(datetime.UTC))
    transaction.writes.buffered.append(BufferedWrite(item.id, (rows,)))

    def tell() -> list[dict[str, Any]]:
        telling = told_changes(transaction, state, role.oid, DEFAULT_CONTEXT, 1, BYTES_MAX)
        return asyncio.run_coroutine_threadsafe(telling, loop).result(60)

    (change,) = unheld(loop, tell)
    assert (change["inserted"], len(change["rows"]), change["truncated"]) == (5000, 1, True)


def test_odd_letters_fail_alone(http: HttpServer) -> None:
    agent = Agent(http)
    assert agent.failure("query", sql="SELECT '\0'") == "22023"
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "query", "arguments": %s}}'
    with client_of(http) as client:
        for given in (
            b'{"sql": "SELECT \'\\ud800\'"}',
            b'{"sql": "\xff"}',
            b"[]",
            b'"x"',
            b"3",
            b"[" * 5000,
            b'{"sql": 1e999}',
        ):
            answer = client.post(AGENT, content=body % given, headers={"Content-Type": "application/json"})
            assert answer.status_code in (200, 400) and ("error" in answer.json() or answer.json()["result"]["isError"])
    deep = f"SELECT {'(' * 20_000}1{')' * 20_000}"
    assert agent.failure("query", sql=deep, as_of="1") in {"54001", "42601"}
    assert agent.failure("explain_incrementality", sql=deep) in {"54001", "42601"}
    assert agent.call("query", sql='SELECT U&\'\\2028\' || chr(1) AS "a""b"')["rows"] == [["\u2028\x01"]]


def test_huge_answers_are_cut(http: HttpServer) -> None:
    agent = Agent(http)
    many = agent.call("query", sql="SELECT repeat('x', 1000) FROM generate_series(1, 100000)", limit=1000)
    assert many["truncated"] and sum(len(text) for (text,) in many["rows"]) <= BYTES_MAX
    one = agent.call("query", sql="SELECT repeat('x', 50000000)")
    assert one["truncated"] and one["rows"] == []
    wide = agent.call("query", sql="SELECT " + ", ".join(f"repeat('x', 200) AS c{i}" for i in range(500)), limit=1000)
    assert len(wide["rows"]) == 1
    assert agent.failure("query", sql="SELECT '" + "x" * 200_000 + "'") == "22023"
