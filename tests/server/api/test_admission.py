"""Who may ask over HTTP: the users, rules and verifiers of pgwire, and no page of another site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from model.time.clock import SystemRandomness
from server.admission.gate import WITH_PASSWORD, given_rules
from server.admission.rules import Here, Rule
from server.api.origins import Origins
from server.api.sql import SQL
from server.http.request import Refused, RequestHead, RequestHeaders
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.verifier import Verifier
from tests.http_api import api_of, asked, client_of
from tests.server.memory_server import MemoryServer, memory_server

_ASKED = {"query": "SELECT current_user"}


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            for statement in (
                "CREATE ROLE ada LOGIN PASSWORD 'geheim: ü'",
                "CREATE ROLE nobody PASSWORD 'x'",
                "CREATE ROLE late LOGIN PASSWORD 'x' VALID UNTIL '2020-01-01'",
                "CREATE ROLE never LOGIN PASSWORD 'x' VALID UNTIL '-infinity'",
                "CREATE ROLE caesar LOGIN PASSWORD 'x' VALID UNTIL '0044-03-15 BC'",
                "CREATE ROLE ever LOGIN PASSWORD 'x' VALID UNTIL 'infinity'",
                "CREATE ROLE far LOGIN PASSWORD 'x' VALID UNTIL '12000-01-01'",
                "CREATE DATABASE ada",
                "CREATE TABLE kept (a int)",
            ):
                connection.execute(statement)
        yield running


@pytest.fixture
def policy() -> AuthenticationPolicy:
    return AuthenticationPolicy(Verifier.of("whole", SystemRandomness()))


def status(client: httpx.Client, user: str, password: str) -> int:
    return client.post(SQL, json=_ASKED, auth=(user, password)).status_code


def test_passwords_are_those_of_pgwire(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    with api_of(server, WITH_PASSWORD, policy) as http, client_of(http, auth=None) as client:
        answer = client.post(SQL, json=_ASKED, auth=("ada", "geheim: ü"))
        assert answer.json()["results"][0]["rows"] == [["ada"]]
        assert status(client, "headwater", "whole") == 200
        refused = client.post(SQL, json=_ASKED)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith('Basic realm="headwater"')
        assert status(client, "nobody", "x") == 403, "no LOGIN"
        for user in ("late", "never", "caesar"):
            assert status(client, user, "x") == 401, "it has expired"
        for user in ("ever", "far"):
            assert status(client, user, "x") == 400, "let in, but it has no database"


def test_wrong_passwords_are_counted_with_those_of_pgwire(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    with api_of(server, WITH_PASSWORD, policy) as http, client_of(http, auth=None) as client:
        told = {
            (client.post(SQL, json=_ASKED, auth=(user, "wrong")).text.replace(user, "…")) for user in ("ada", "noone")
        }
        assert told == {'password authentication failed for user "…"\n'}, "nobody is told which roles there are"
        assert status(client, "ada", "wrong") == status(client, "ada", "") == 401
        assert status(client, "ada", "geheim: ü") == 200


@pytest.mark.parametrize(
    "header",
    ["", "Basic", "Basic !", "Basic YWRh", "Bearer YWRhOng=", "Basic OnB3", "Basic YWRhOgB4", "Basic /zp4", "x" * 9000],
)
def test_headers_that_tell_no_user_are_refused(server: MemoryServer, policy: AuthenticationPolicy, header: str) -> None:
    with api_of(server, WITH_PASSWORD, policy) as http, client_of(http, auth=None) as client:
        assert client.post(SQL, json=_ASKED, headers={"authorization": header}).status_code == 401


def test_rules_hold(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    rules = "hostssl all all all trust\nhost ada ada all scram-sha-256\nhost all ada all reject"
    with api_of(server, rules, policy) as http, client_of(http, auth=None) as client:
        assert status(client, "ada", "geheim: ü") == 200
        elsewhere = client.post(
            SQL, params={"options": '{"database": "headwater"}'}, json=_ASKED, auth=("ada", "geheim: ü")
        )
        assert elsewhere.status_code == 403
        assert "pg_hba.conf rejects connection" in elsewhere.text
        assert status(client, "headwater", "whole") == 403


def test_privileges_hold(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    with api_of(server, WITH_PASSWORD, policy) as http, client_of(http, auth=("ada", "geheim: ü")) as client:
        at = {"options": '{"database": "headwater"}'}
        told = client.post(SQL, params=at, json={"query": "SELECT * FROM kept"}).json()["results"]
        assert told[0]["error"] == {"message": "permission denied for table kept", "code": "42501"}
        with server.connect() as connection:
            connection.execute("REVOKE CONNECT ON DATABASE headwater FROM public")
            assert client.post(SQL, params=at, json={"query": "SELECT 1"}).status_code == 403
            connection.execute("GRANT CONNECT ON DATABASE headwater TO public")


def test_a_changed_password_holds_for_connections_that_are_kept(
    server: MemoryServer, policy: AuthenticationPolicy
) -> None:
    with (
        api_of(server, WITH_PASSWORD, policy) as http,
        client_of(http, auth=("ada", "geheim: ü")) as client,
        server.connect() as connection,
    ):
        asked(client, "SELECT 1")
        connection.execute("ALTER ROLE ada PASSWORD 'other'")
        try:
            assert client.post(SQL, json=_ASKED).status_code == 401
        finally:
            connection.execute("ALTER ROLE ada PASSWORD 'geheim: ü'")


@dataclass
class _ChangedRules:
    """Rules of a file that is read anew."""

    rules: tuple[Rule, ...]
    here: Here


def test_changed_rules_hold_for_connections_that_are_kept(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    first = given_rules("host all ada all scram-sha-256")
    rules = _ChangedRules(first.rules, first.here)
    with api_of(server, rules, policy) as http, client_of(http, auth=("ada", "geheim: ü")) as client:
        asked(client, "SELECT 1")
        rules.rules = given_rules("host all ada all reject").rules
        refused = client.post(SQL, json=_ASKED)
        assert (refused.status_code, "pg_hba.conf rejects connection" in refused.text) == (403, True)
        rules.rules = first.rules
        asked(client, "SELECT 1")


def test_a_verifier_of_too_many_iterations_proves_nothing(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    verifier = Verifier.of("x", SystemRandomness()).text.replace("$4096:", "$999999999:")
    with (
        api_of(server, WITH_PASSWORD, policy) as http,
        client_of(http, auth=None) as client,
        server.connect() as connection,
    ):
        connection.execute(f"CREATE ROLE slow LOGIN PASSWORD '{verifier}'")
        assert status(client, "slow", "x") == 401


def test_without_a_password_the_owner_comes_in(server: MemoryServer) -> None:
    with api_of(server) as http, client_of(http) as client:
        assert asked(client, "SELECT current_user")[0]["rows"] == [["headwater"]]
        assert httpx.post(f"http://127.0.0.1:{http.port}{SQL}", json=_ASKED).status_code == 401


def head(**headers: str) -> RequestHead:
    return RequestHead("POST", SQL, "", RequestHeaders([(n.encode(), v.encode()) for n, v in headers.items()]))


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:6876", None),
        ("10.1.2.3", None),
        ("[::1]:6876", "http://[::1]:6876"),
        ("localhost:6876", "http://localhost:6876"),
        ("LOCALHOST.:1", None),
        ("db.example", "https://db.example"),
        ("db.example:443", "https://DB.example"),
        ("db.example", "http://db.example:80"),
    ],
)
def test_requests_to_the_servers_own_names_are_answered(host: str, origin: str | None) -> None:
    Origins(["db.example"]).require_own(head(host=host, **({} if origin is None else {"origin": origin})))


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("evil.example:6876", None),
        ("evil.example:6876", "http://evil.example:6876"),
        ("127.0.0.1.evil.example", None),
        ("localhost.evil.example", None),
        ("evil.example#localhost", None),
        ("localhost@evil.example", None),
        ("2130706433", None),
        ("", None),
        ("localhost:6876", "http://evil.example"),
        ("localhost:6876", "http://localhost:3000"),
        ("localhost:6876", "http://localhost"),
        ("localhost:6876", "null"),
        ("localhost:6876", ""),
        ("localhost:6876", "file://localhost:6876"),
        ("localhost:6876", "http://localhost:6876, http://evil.example"),
        ("127.0.0.1:6876", "http://localhost:6876"),
    ],
)
def test_requests_of_other_sites_pages_are_refused(host: str, origin: str | None) -> None:
    with pytest.raises(Refused) as refused:
        Origins(["db.example"]).require_own(head(host=host, **({} if origin is None else {"origin": origin})))
    assert refused.value.answer.status == 403


def test_no_page_of_another_site_reaches_a_server_of_the_loopback(server: MemoryServer) -> None:
    with api_of(server) as http, client_of(http) as client:
        rebound = {"host": f"evil.example:{http.port}", "origin": f"http://evil.example:{http.port}"}
        for headers in (rebound, {"origin": "http://evil.example"}):
            answer = client.post(SQL, json=_ASKED, headers=headers)
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers
        own = {"origin": f"http://127.0.0.1:{http.port}"}
        assert client.post(SQL, json=_ASKED, headers=own).status_code == 200
