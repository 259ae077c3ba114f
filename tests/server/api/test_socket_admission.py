"""Who gets a session over a WebSocket: users, rules, verifiers and places of pgwire, and no page of another site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from model.time.clock import SystemRandomness
from server.admission.gate import WITH_PASSWORD
from server.api.sockets import SOCKET
from server.api.token_requests import TOKEN
from server.http.server import HttpServer
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.server import ServerOptions
from server.pgwire.verifier import Verifier
from tests.http_api import api_of, client_of
from tests.server.memory_server import MemoryServer, memory_server
from tests.web_sockets import eventually, raw_socket_to, socket_to

_ADA = {"user": "ada", "password": "geheim: ü"}
_WHOLE = {"user": "headwater", "password": "whole"}


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server(wire=ServerOptions(connections_max=4, superusers_reserved=1)) as running:
        with running.connect() as connection:
            for statement in (
                "CREATE ROLE ada LOGIN PASSWORD 'geheim: ü' CONNECTION LIMIT 2",
                "CREATE ROLE nobody PASSWORD 'x'",
                "CREATE DATABASE ada",
            ):
                connection.execute(statement)
        yield running


@pytest.fixture(scope="module")
def http(server: MemoryServer) -> Iterator[HttpServer]:
    policy = AuthenticationPolicy(Verifier.of("whole", SystemRandomness()))
    with api_of(server, WITH_PASSWORD, policy) as listening:
        yield listening


def refusal(http: HttpServer, login: dict[str, Any]) -> str:
    with raw_socket_to(http) as made:
        made.send(login)
        type_, payload = made.next()
        assert type_ == "Error"
        with pytest.raises(ConnectionClosed):
            made.next()
        return str(payload["code"])


def test_a_password_or_a_token(http: HttpServer) -> None:
    with socket_to(http, _ADA) as made:
        assert made.rows("SELECT current_user, current_database()") == [["ada", "ada"]]
    with client_of(http, auth=("ada", "geheim: ü")) as client:
        token = client.post(TOKEN).json()["token"]
    with socket_to(http, {"token": token, "options": {"database": "headwater"}}) as made:
        assert made.rows("SELECT current_user, current_database()") == [["ada", "headwater"]]


@pytest.mark.parametrize(
    ("login", "code"),
    [
        ({"user": "ada", "password": "wrong"}, "28P01"),
        ({"user": "ada"}, "28P01"),
        ({"user": "none", "password": "x"}, "28P01"),
        ({"user": "", "password": "x"}, "28P01"),
        ({"user": "a" * 100, "password": "x"}, "28P01"),
        ({"user": "nobody", "password": "x"}, "28000"),
        ({"token": "0" * 32}, "28P01"),
        (_ADA | {"options": {"database": "none"}}, "3D000"),
        (_ADA | {"options": {"nothing": "x"}}, "42704"),
        (_ADA | {"options": {"datestyle": "x"}}, "22023"),
        (_ADA | {"options": {"datestyle": 1}}, "08P01"),
        (_ADA | {"token": "x"}, "08P01"),
        ({"query": "SELECT 1"}, "08P01"),
        ({}, "08P01"),
    ],
)
def test_others_are_told_why_and_sent_away(http: HttpServer, login: dict[str, Any], code: str) -> None:
    assert refusal(http, login) == code


def test_places_and_limits_are_those_of_pgwire(server: MemoryServer, http: HttpServer) -> None:
    eventually(lambda: server.places.taken == 0)
    with socket_to(http, _ADA), socket_to(http, _ADA):
        assert refusal(http, _ADA) == "53300", "its connection limit"
        with socket_to(http, _WHOLE):
            assert refusal(http, {"user": "ada", "password": "geheim: ü"}) == "53300"
            with socket_to(http, _WHOLE):
                assert refusal(http, _WHOLE) == "53300"
                with pytest.raises(psycopg.OperationalError, match="too many clients"):
                    server.connect()
    eventually(lambda: server.places.taken == 0)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, 403),
        ({"Sec-WebSocket-Version": "8"}, 400),
        ({"Sec-WebSocket-Key": "x"}, 400),
        ({"Upgrade": "h2c"}, 426),
        ({"Connection": "keep-alive"}, 426),
    ],
)
def test_no_other_sites_page_gets_a_socket_and_no_other_protocol(
    http: HttpServer, headers: dict[str, str], status: int
) -> None:
    asked = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    answer = httpx.get(f"http://127.0.0.1:{http.port}{SOCKET}", headers=asked | headers)
    assert answer.status_code == status
    assert httpx.get(f"http://127.0.0.1:{http.port}{SOCKET}").status_code == 426
    assert httpx.post(f"http://127.0.0.1:{http.port}{SOCKET}", headers=asked).status_code == 405


def test_own_pages_get_a_socket(http: HttpServer) -> None:
    with socket_to(http, _WHOLE, origin=f"http://127.0.0.1:{http.port}") as made:
        assert made.rows("SELECT 1") == [["1"]]
    with pytest.raises(InvalidStatus), raw_socket_to(http, origin="http://localhost:3000"):
        pass
