"""Sessions over HTTP that a connection's next request begins anew: what a request has done never reaches the next."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from server.api.sql import SQL
from server.http.server import HttpServer
from server.session.session import Session
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server) as listening:
        yield listening


@pytest.fixture
def client(http: HttpServer) -> Iterator[httpx.Client]:
    with client_of(http) as made:
        yield made


def value(client: httpx.Client, query: str) -> object:
    """The first value of the last result."""
    return asked(client, query)[-1]["rows"][0][0]


def pid(client: httpx.Client) -> object:
    return value(client, "SELECT pg_backend_pid()")


def test_a_session_without_traces_begins_anew(client: httpx.Client) -> None:
    first = pid(client)
    assert pid(client) == first
    asked(client, "CREATE TABLE IF NOT EXISTS rows (a int)")
    second = pid(client)
    asked(client, "INSERT INTO rows VALUES (1); SELECT * FROM rows; SELECT 1 / 0")
    queries = [
        {"query": "SELECT $1::int4", "params": ["1"]},
        {"query": "SELECT a FROM rows WHERE a = $1", "params": ["1"]},
    ]
    assert client.post(SQL, json={"queries": queries}).status_code == 200
    asked(client, "BEGIN; SET LOCAL datestyle = 'SQL'; DECLARE c CURSOR FOR SELECT 1")
    asked(client, "BEGIN; SET datestyle = 'SQL'; ROLLBACK")
    assert pid(client) == second
    with_others = {"options": '{"application_name": "other"}'}
    other = client.post(SQL, params=with_others, json={"query": "SHOW application_name"}).json()
    assert other["results"][0]["rows"] == [["other"]]
    assert value(client, "SHOW application_name") == ""


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        ("SET datestyle = 'SQL, DMY'", "SHOW datestyle"),
        ("SET app.tenant = 'a'", "SELECT current_setting('app.tenant', true)"),
        ("BEGIN; SET LOCAL app.tenant = 'a'; COMMIT", "SELECT current_setting('app.tenant', true)"),
        ("CREATE ROLE other_1; SET ROLE other_1", "SELECT current_user"),
        ("CREATE ROLE other_2; SET SESSION AUTHORIZATION other_2", "SELECT session_user"),
        ("PREPARE p AS SELECT 1", "SELECT count(*) FROM pg_prepared_statements"),
        ("LISTEN a", "SELECT count(*) FROM pg_listening_channels()"),
        ("SELECT pg_advisory_lock(7)", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"),
        ("CREATE TEMPORARY TABLE t (a int)", "SELECT to_regclass('t')::text"),
        ("BEGIN; INSERT INTO kept VALUES (1)", "SELECT count(*) FROM kept"),
        ("SELECT 1", "SELECT coalesce(nullif(count(*), 1), 0) FROM pg_stat_activity WHERE pid = pg_backend_pid()"),
    ],
)
def test_nothing_reaches_the_next_request(client: httpx.Client, left: str, shown: str) -> None:
    asked(client, "CREATE TABLE IF NOT EXISTS kept (a int)")
    before = value(client, shown)
    told = asked(client, left)
    assert all("error" not in each for each in told), told
    assert value(client, shown) == before


def test_values_of_sequences_are_forgotten(client: httpx.Client) -> None:
    asked(client, "CREATE SEQUENCE numbers")
    assert value(client, "SELECT nextval('numbers')") == "1"
    for asks in ("SELECT currval('numbers')", "SELECT lastval()"):
        (told,) = asked(client, asks)
        assert told["error"]["code"] == "55000"


def test_what_a_failed_request_did_not_tell_is_not_told_to_the_next(client: httpx.Client) -> None:
    asked(client, "SET application_name = 'x'; SELECT 1 / 0")
    assert asked(client, "CREATE ROLE none_1") == [{"ok": "CREATE ROLE", "notices": []}]


def test_roles_that_change_between_requests(client: httpx.Client, http: HttpServer) -> None:
    asked(client, "CREATE ROLE ada LOGIN; CREATE DATABASE ada")
    with client_of(http, auth=("ada", "")) as ada:
        assert value(ada, "SHOW datestyle") == value(ada, "SHOW datestyle") == "ISO, MDY"
        asked(client, "ALTER ROLE ada SET datestyle = 'SQL, DMY'")
        assert value(ada, "SHOW datestyle") == "SQL, DMY"
        asked(client, "ALTER ROLE ada CONNECTION LIMIT 0")
        assert ada.post(SQL, json={"query": "SELECT 1"}).status_code == 429
        asked(client, "ALTER ROLE ada CONNECTION LIMIT 1")
        assert value(ada, "SELECT 1") == value(ada, "SELECT 1") == "1"
        asked(client, "ALTER ROLE ada NOLOGIN")
        assert ada.post(SQL, json={"query": "SELECT 1"}).status_code == 403
        asked(client, "DROP DATABASE ada; DROP ROLE ada")
        assert ada.post(SQL, json={"query": "SELECT 1"}).status_code in (401, 403)


def test_a_terminated_session_is_not_begun_again(client: httpx.Client) -> None:
    first = pid(client)
    (told,) = asked(client, "SELECT pg_terminate_backend(pg_backend_pid())")
    assert told["error"]["code"] == "57P01"
    assert pid(client) != first


def test_a_session_ended_while_it_closes_is_not_begun_again(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, close = pid(client), Session.close

    async def end_and_close(session: Session) -> None:
        session.end()
        await close(session)

    with monkeypatch.context() as patched:
        patched.setattr(Session, "close", end_and_close)
        assert value(client, "SELECT 1") == "1"
    assert pid(client) not in (None, first)


def test_long_texts_are_not_kept_between_requests(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    closed, close = [], Session.close

    async def note(session: Session) -> None:
        closed.append(session)
        await close(session)

    monkeypatch.setattr(Session, "close", note)
    text = f"SELECT length('{'x' * 100_000}')"
    (told,) = client.post(SQL, json={"queries": [{"query": text, "params": []}]}).json()["results"]
    assert told["rows"] == [["100000"]]
    (kept,) = closed
    assert not kept.holdings.statements and kept.status().query == ""
    assert pid(client) == str(kept.pid)
