"""Tokens in the place of passwords: whom they let in, for how long, and what makes them void."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

import httpx
import pytest

from catalog.nouns.items import Role
from model.time.clock import SystemRandomness
from server.admission.gate import WITH_PASSWORD
from server.api.metrics import METRICS
from server.api.sql import SQL
from server.api.token_requests import TOKEN
from server.api.tokens import ALL_MAX, LIFE_S, OF_ROLE_MAX, Tokens
from server.http.server import HttpServer
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.verifier import Verifier
from tests.http_api import api_of, client_of
from tests.server.memory_server import MemoryServer, memory_server

_ASKED = {"query": "SELECT current_user"}
_PASSWORD = "geheim: ü"


@pytest.fixture(scope="module")
def server() -> Iterator[MemoryServer]:
    with memory_server() as running:
        with running.connect() as connection:
            for statement in (
                f"CREATE ROLE ada LOGIN PASSWORD '{_PASSWORD}'",
                "CREATE ROLE nobody PASSWORD 'x'",
                "CREATE DATABASE ada",
            ):
                connection.execute(statement)
        yield running


@pytest.fixture(scope="module")
def policy() -> AuthenticationPolicy:
    return AuthenticationPolicy(Verifier.of("whole", SystemRandomness()))


@pytest.fixture(scope="module")
def http(server: MemoryServer, policy: AuthenticationPolicy) -> Iterator[HttpServer]:
    with api_of(server, WITH_PASSWORD, policy) as listening:
        yield listening


@pytest.fixture
def client(http: HttpServer) -> Iterator[httpx.Client]:
    with client_of(http, auth=None) as made:
        yield made


def token_of(client: httpx.Client, user: str = "ada", password: str = _PASSWORD) -> str:
    answer = client.post(TOKEN, auth=(user, password))
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    told = answer.json()
    assert (told["user"], told["expires_in"]) == (user, LIFE_S)
    return str(told["token"])


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def status(client: httpx.Client, token: str, path: str = SQL) -> int:
    if path == METRICS:
        return client.get(path, headers=bearer(token)).status_code
    return client.post(path, json=_ASKED, headers=bearer(token)).status_code


def test_a_token_comes_in_as_the_user_whom_it_was_given(client: httpx.Client) -> None:
    token = token_of(client)
    assert token_of(client) != token
    answer = client.post(SQL, json=_ASKED, headers=bearer(token))
    assert answer.json()["results"][0]["rows"] == [["ada"]]
    assert client.post(SQL, json=_ASKED, headers={"authorization": f"bearer  {token}"}).status_code == 200
    assert status(client, token, METRICS) == 403, "ada does not monitor"
    assert status(client, token_of(client, "headwater", "whole"), METRICS) == 200


def test_a_token_is_given_for_a_password_alone(client: httpx.Client) -> None:
    token = token_of(client)
    assert status(client, token, TOKEN) == 401, "none is prolonged"
    assert client.post(TOKEN).status_code == 401
    assert client.post(TOKEN, auth=("ada", "wrong")).status_code == 401
    assert client.post(TOKEN, auth=("nobody", "x")).status_code == 403, "no LOGIN"
    assert client.get(TOKEN, auth=("ada", _PASSWORD)).status_code == 405
    strange = {"origin": "http://evil.example"}
    assert client.post(TOKEN, auth=("ada", _PASSWORD), headers=strange).status_code == 403


@pytest.mark.parametrize("told", ["x", "0" * 32, "é", "\x01", "x" * 9000, "a b"])
def test_what_was_never_given_lets_nobody_in(client: httpx.Client, told: str) -> None:
    answer = client.post(SQL, json=_ASKED, headers=[(b"authorization", b"Bearer " + told.encode())])
    assert answer.status_code in (400, 401)
    if answer.status_code == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer ")
        assert answer.text == "the token is unknown, or no longer good\n"


@pytest.mark.parametrize(
    ("change", "back"),
    [
        ("ALTER ROLE ada PASSWORD 'other'", f"ALTER ROLE ada PASSWORD '{_PASSWORD}'"),
        ("ALTER ROLE ada NOLOGIN", "ALTER ROLE ada LOGIN"),
        ("ALTER ROLE ada RENAME TO eve", f"ALTER ROLE eve RENAME TO ada; ALTER ROLE ada PASSWORD '{_PASSWORD}'"),
        ("ALTER ROLE ada VALID UNTIL '2020-01-01'", "ALTER ROLE ada VALID UNTIL 'infinity'"),
    ],
)
def test_a_token_is_void_once_its_role_is_altered(
    server: MemoryServer, client: httpx.Client, change: str, back: str
) -> None:
    token, unasked = token_of(client), token_of(client)
    with server.connect() as connection:
        connection.execute(change)
        try:
            assert status(client, token) == 401
        finally:
            connection.execute(back)
        # Not even for who has not asked meanwhile.
        assert status(client, token) == status(client, unasked) == 401
        fresh = token_of(client)
        connection.execute("CREATE ROLE another; CREATE TABLE IF NOT EXISTS made (a int)")
        connection.execute("DROP ROLE another")
        assert status(client, fresh) == 200, "what changes elsewhere is nothing to it"


def test_a_password_that_expires_takes_its_tokens_with_it(server: MemoryServer, client: httpx.Client) -> None:
    with server.connect() as connection:
        connection.execute("CREATE ROLE soon LOGIN PASSWORD 'x' VALID UNTIL '2099-01-01'; CREATE DATABASE soon")
        token = token_of(client, "soon", "x")
        assert status(client, token) == 200
        clock = server.environment.clock
        server.environment.clock = _Later()
        try:
            assert status(client, token) == 401
        finally:
            server.environment.clock = clock


class _Later:
    """The year 2100, for whoever asks for the date."""

    def now_ms(self) -> int:
        return 4_102_444_800_000

    def elapsed_ns(self) -> int:
        return 0

    async def sleep(self, seconds: float) -> None:
        raise AssertionError("nobody waits")


def test_rules_hold_for_tokens(server: MemoryServer, policy: AuthenticationPolicy) -> None:
    rules = "hostssl headwater ada all scram-sha-256\nhost ada ada all scram-sha-256\nhost all ada all reject"
    with api_of(server, rules, policy) as http, client_of(http, auth=None) as client:
        token = token_of(client)
        assert status(client, token) == 200
        at = {"options": '{"database": "headwater"}'}
        assert client.post(SQL, params=at, json=_ASKED, headers=bearer(token)).status_code == 403
        assert client.post(TOKEN, params=at, auth=("ada", _PASSWORD)).status_code == 403


def test_a_token_that_was_given_without_a_password_takes_nobody_where_one_is_asked(
    server: MemoryServer, policy: AuthenticationPolicy
) -> None:
    rules = "host ada ada all trust\nhost all ada all scram-sha-256"
    with api_of(server, rules, policy) as http, client_of(http, auth=None) as client:
        token = token_of(client, password="")
        assert status(client, token) == 200
        at = {"options": '{"database": "headwater"}'}
        assert client.post(SQL, params=at, json=_ASKED, headers=bearer(token)).status_code == 401
        proven = client.post(TOKEN, params=at, auth=("ada", _PASSWORD)).json()["token"]
        assert client.post(SQL, params=at, json=_ASKED, headers=bearer(proven)).status_code == 200


def test_a_token_is_in_no_log(client: httpx.Client, capfd: pytest.CaptureFixture[str]) -> None:
    assert client.post(TOKEN, auth=("ada", "is wrong")).status_code == 401
    token = token_of(client)
    status(client, token)
    status(client, token + "x")
    told = "".join(capfd.readouterr())
    assert "ada" in told, "what is refused is told"
    assert token not in told


class _Clock(_Later):
    def __init__(self) -> None:
        self.at_s = 0.0

    def elapsed_ns(self) -> int:
        return int(self.at_s * 1_000_000_000)


class _Ledger:
    def __init__(self) -> None:
        self.clock = _Clock()
        self.roles = {oid: Role(oid, f"r{oid}", False, False, False, True) for oid in range(50)}
        self.tokens = Tokens(self.clock, SystemRandomness(), lambda: self.roles)

    def give(self, oid: int = 1) -> str:
        return self.tokens.give(self.roles[oid], with_password=True)


def test_a_token_lives_for_twelve_hours() -> None:
    ledger = _Ledger()
    first = ledger.give()
    ledger.clock.at_s = 3600
    second = ledger.give(2)
    ledger.clock.at_s = LIFE_S - 1
    assert ledger.tokens.of(first) is not None
    ledger.clock.at_s = LIFE_S
    ledger.give(3)
    assert len(ledger.tokens) == 2, "what has ended is not kept"
    assert ledger.tokens.of(first) is None
    assert ledger.tokens.of(second) is not None


def test_tokens_are_bounded_for_each_role_and_altogether() -> None:
    ledger = _Ledger()
    others = ledger.give(2)
    ones = [ledger.give(1) for _ in range(OF_ROLE_MAX + 5)]
    assert len(ledger.tokens) == OF_ROLE_MAX + 1
    assert [ledger.tokens.of(each) is None for each in ones[:6]] == [True] * 5 + [False]
    assert ledger.tokens.of(others) is not None
    for oid in range(3, 3 + ALL_MAX // OF_ROLE_MAX):
        for _ in range(OF_ROLE_MAX):
            ledger.give(oid)
    assert len(ledger.tokens) == ALL_MAX
    assert ledger.tokens.of(others) is None


def test_a_role_that_is_made_again_as_it_was_has_no_tokens() -> None:
    ledger = _Ledger()
    token = ledger.give(1)
    ledger.roles[1] = replace(ledger.roles[1])
    assert ledger.tokens.of(token) is None
    assert len(ledger.tokens) == 0


def test_only_digests_are_kept() -> None:
    ledger = _Ledger()
    token = ledger.give(1)
    kept = repr([getattr(ledger.tokens, name) for name in vars(ledger.tokens)])
    assert token not in kept
    assert repr(hashlib.sha256(token.encode()).digest()) in kept
