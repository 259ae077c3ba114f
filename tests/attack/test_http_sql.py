"""Hostile and slow clients who ask for SQL over HTTP: what they leave behind ends, and nobody else waits for them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from functools import partial

import httpx
import psycopg
import pytest

from model.time.clock import SystemClock
from server.api.sql import SQL
from server.evaluation.pool import WorkerPool
from server.http.limits import HttpLimits
from server.http.server import HttpServer
from server.pgwire.server import ServerOptions
from tests.attack.loop_probe import unheld
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server

_LIMITS = HttpLimits(connections_max=20, body_bytes_max=5 << 20, idle_s=2.0)
_AUTHORIZATION = "Authorization: Basic aGVhZHdhdGVyOg=="


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    """What may take its time is evaluated in processes, as in a server of its own."""
    with memory_server() as running:
        running.environment.evaluations.apart = pool = WorkerPool(SystemClock())
        running.loop.call_soon_threadsafe(pool.begin)
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    with api_of(server, limits=_LIMITS) as listening:
        yield listening


@pytest.fixture
def client(http: HttpServer) -> Iterator[httpx.Client]:
    with client_of(http) as made:
        yield made


def dialled(http: HttpServer, query: str) -> socket.socket:
    """A client who has asked, and reads nothing."""
    body = json.dumps({"query": query}).encode()
    lines = (
        f"POST {SQL} HTTP/1.1",
        "Host: localhost",
        _AUTHORIZATION,
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    made = socket.create_connection(("127.0.0.1", http.port))
    made.settimeout(60)
    made.sendall("\r\n".join((*lines, "", "")).encode() + body)
    return made


def eventually(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came about")


def _is_true(client: httpx.Client, query: str) -> bool:
    return bool(asked(client, query)[0]["rows"] == [[True]])


def test_a_client_that_goes_cancels_its_statement(server: MemoryServer, http: HttpServer, client: httpx.Client) -> None:
    asked(client, "CREATE TABLE gone (a int)")
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO gone%'"
    leaving = dialled(http, "INSERT INTO gone VALUES (1); SELECT pg_sleep(3600)")
    eventually(lambda: asked(client, asleep)[0]["rows"] == [["1"]])
    leaving.close()
    eventually(lambda: asked(client, asleep)[0]["rows"] == [["0"]])
    eventually(lambda: len(server.environment.clients.sessions) == 0)
    assert asked(client, "SELECT count(*) FROM gone")[0]["rows"] == [["0"]]


def test_a_client_that_goes_while_much_of_it_is_unread_cancels_its_statement(
    server: MemoryServer, http: HttpServer, client: httpx.Client
) -> None:
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(3600) AS unread%'"
    leaving = dialled(http, "SELECT pg_sleep(3600) AS unread")
    eventually(lambda: asked(client, asleep)[0]["rows"] == [["1"]])
    # More than is read ahead of a request's answer, and no more than the system takes of what nobody reads.
    leaving.sendall(b"x" * 100_000)
    leaving.close()
    eventually(lambda: asked(client, asleep)[0]["rows"] == [["0"]])
    eventually(lambda: len(server.environment.clients.sessions) == 0)


def test_a_session_is_cancelled_and_ended_from_outside(http: HttpServer, client: httpx.Client) -> None:
    for function, code in (("pg_cancel_backend", "57014"), ("pg_terminate_backend", "57P01")):
        with dialled(http, f"SELECT pg_sleep(3600) AS {function}; SELECT 1") as asking:
            found = (
                f"SELECT {function}(pid) FROM pg_stat_activity"
                f" WHERE query LIKE '%AS {function}%' AND pid <> pg_backend_pid()"
            )
            eventually(partial(_is_true, client, found))
            told = asking.recv(65_536).decode()
            assert f'"code":"{code}"' in told
            assert told.count('"error"') == 1
            assert '"tag"' not in told


def test_long_answers_come_in_pieces_and_hold_nobody(server: MemoryServer, http: HttpServer) -> None:
    def read() -> bytes:
        # Read by a plain socket, whose reader does not keep Python's lock.
        with dialled(http, "SELECT n, repeat('x', 100) FROM generate_series(1, 100000) n") as asking:
            pieces: list[bytes] = []
            while not pieces or not pieces[-1].endswith(b"0\r\n\r\n"):
                pieces.append(asking.recv(1 << 20))
            return b"".join(pieces)

    answer = unheld(server.loop, read)
    head, _, chunks = answer.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head.lower()
    body = b""
    while chunks:
        size, _, chunks = chunks.partition(b"\r\n")
        body, chunks = body + chunks[: int(size, 16)], chunks[int(size, 16) + 2 :]
    assert len(json.loads(body)["results"][0]["rows"]) == 100_000


def test_an_error_behind_rows_that_are_sent_takes_the_place_of_the_tag(client: httpx.Client) -> None:
    (result,) = asked(client, "SELECT repeat('x', 1000), 1 / (50000 - n) FROM generate_series(1, 100000) n")
    assert result["error"]["code"] == "22012"
    assert "tag" not in result
    (short,) = asked(client, "SELECT 1 / (5 - n) FROM generate_series(1, 10) n")
    assert set(short) == {"error", "notices"}


def test_who_does_not_read_is_given_up(server: MemoryServer, http: HttpServer, client: httpx.Client) -> None:
    with dialled(http, "SELECT repeat('x', 1000) FROM generate_series(1, 200000) n"):
        eventually(lambda: len(server.environment.clients.sessions) == 1)
        assert unheld(server.loop, lambda: asked(client, "SELECT 1"))[0]["tag"] == "SELECT 1"
        eventually(lambda: len(server.environment.clients.sessions) == 0)


@pytest.mark.parametrize(
    "body",
    [
        {"query": "SELECT " + "(" * 100_000 + "1" + ")" * 100_000},
        {"query": ";" * 4_000_000},
        {"query": "SELECT 1;" * 500},
        {"queries": [{"query": "SELECT 1"}] * 1_000},
        {"queries": [{"query": "SELECT $1", "params": ["x" * 4_000_000]}]},
        {"queries": [{"query": "SELECT 1", "params": [None] * 100_000}]},
    ],
    ids=["deep", "empty statements", "statements", "queries", "a large parameter", "parameters"],
)
def test_large_and_deep_requests_hold_nobody(server: MemoryServer, client: httpx.Client, body: object) -> None:
    assert unheld(server.loop, lambda: client.post(SQL, json=body)).status_code == 200


def test_sessions_over_http_take_the_places_of_clients() -> None:
    with memory_server(wire=ServerOptions(connections_max=3, superusers_reserved=1)) as server:
        with server.connect() as session, api_of(server, "host all all all trust") as http, client_of(http) as client:
            session.execute("CREATE ROLE guest LOGIN; CREATE DATABASE guest")
            with dialled(http, "SELECT pg_sleep(3600)"):
                kinds = "SELECT backend_type FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                eventually(lambda: session.execute(kinds).fetchall() == [("http client",)])
                answer = client.post(SQL, json={"query": "SELECT 1"}, auth=("guest", ""))
                assert (answer.status_code, "SUPERUSER" in answer.text) == (429, True)
                assert asked(client, "SELECT 1")[0]["tag"] == "SELECT 1"
                with server.connect(), pytest.raises(psycopg.OperationalError, match="too many clients"):
                    server.connect()
                with server.connect():
                    assert client.post(SQL, json={"query": "SELECT 1"}).status_code == 429
            eventually(lambda: server.places.taken == 1)
            assert client.post(SQL, json={"query": "SELECT 1"}, auth=("guest", "")).status_code == 200


def test_many_at_once_are_all_answered(server: MemoryServer, http: HttpServer) -> None:
    asking = [dialled(http, "SELECT pg_sleep(0.2)") for _ in range(20)]
    for each in asking:
        with each:
            assert b'"tag":"SELECT 1"' in each.recv(65_536)
    eventually(lambda: len(server.environment.clients.sessions) == 0)
