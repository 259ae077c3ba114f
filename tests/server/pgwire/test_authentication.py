"""Who proves a password, by SCRAM-SHA-256."""

from __future__ import annotations

import asyncio
import base64
import struct
from dataclasses import dataclass

import psycopg
import pytest
import scramp

from model.errors.sql_error import SqlError
from model.time.clock import SystemRandomness
from server.admission.gate import WITH_PASSWORD, Gate, given_rules
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.backend import Credentials
from server.pgwire.connection import ConnectionOptions
from server.pgwire.verifier import Verifier
from tests.server.pgwire import frames
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, Wire

_FAR = "192.0.2.7"
_POLICY = AuthenticationPolicy(Verifier.of("right", SystemRandomness()))


def _asking() -> Gate:
    """Nobody has failed at it yet."""
    return Gate(given_rules(WITH_PASSWORD))


def _prove(
    password: str,
    *,
    mechanism: str = "SCRAM-SHA-256",
    named: str | None = None,
    address: str = _FAR,
    policy: AuthenticationPolicy = _POLICY,
) -> bytes:
    """Everything that the server says to a client with `password`, whose first message names the user `named`."""

    async def scenario() -> bytes:
        options = ConnectionOptions(gate=_asking(), authentication=policy)
        wire = Wire(ToyBackend(), options, address=address)
        said = await wire.exchange(HELLO)
        client = scramp.ScramClient(["SCRAM-SHA-256"], "someone", password)
        first = client.get_client_first()
        if named is not None:
            first = first.replace("n=someone", f"n={named}")
            client.client_first_bare = first.removeprefix("n,,")
        body = frames.text(mechanism) + struct.pack(">i", len(first.encode())) + first.encode()
        answer = await wire.exchange(frames.frame("p", body))
        said += answer
        if frames.kinds(answer) == "R":
            client.set_server_first(frames.messages(answer)[0][1][4:].decode())
            answer = await wire.exchange(frames.frame("p", client.get_client_final().encode()))
            said += answer
            if frames.kinds(answer)[0] == "R":
                client.set_server_final(frames.messages(answer)[0][1][4:].decode())
        await wire.leave()
        return said

    return asyncio.run(asyncio.wait_for(scenario(), 60))


def _error(data: bytes) -> dict[str, str]:
    return next(frames.error_fields(body) for kind, body in frames.messages(data) if kind == "E")


def _codes(said: bytes) -> list[int]:
    return [struct.unpack(">i", body[:4])[0] for kind, body in frames.messages(said) if kind == "R"]


@pytest.mark.parametrize("address", [_FAR, "127.0.0.1", "::1", ""])
def test_the_right_password_is_proved_on_both_sides_wherever_the_client_is(address: str) -> None:
    said = _prove("right", address=address)
    assert _codes(said) == [10, 11, 12, 0]
    assert frames.kinds(said).endswith("Z")


@pytest.mark.parametrize("name", ["", "*", "another", "=", "=2C=3D", "\x07", "\U0001f642", "x" * 9000])
def test_the_name_in_the_proof_is_passed_over_as_in_postgresql(name: str) -> None:
    """Who connects stands in the startup message; libpq sends an empty name, drivers of Java and JavaScript a star."""
    assert _codes(_prove("right", named=name)) == [10, 11, 12, 0]
    assert _error(_prove("wrong", named=name))["C"] == "28P01"


@pytest.mark.parametrize("address", [_FAR, "127.0.0.1"])
def test_a_wrong_password_is_refused(address: str) -> None:
    assert _error(_prove("wrong", address=address))["C"] == "28P01"


@dataclass(frozen=True, slots=True)
class _Salt(SystemRandomness):
    salt: bytes

    def token(self) -> str:
        return self.salt.hex()


@pytest.mark.parametrize(
    "password",
    [
        "plain",
        "é",
        "soft\u00adhyphen",
        "no\u00a0break",
        "\u2168",
        "\U0001f642",
        "bell\x07",
        "\u00ad",
        "\u05d0a",
        "x" * 900,
    ],
)
def test_a_password_becomes_the_verifier_that_libpq_makes_of_it(password: str) -> None:
    """Also one that SASLprep refuses, such as an emoji: libpq takes it as it is."""
    made = psycopg.pq.PGconn.connect_start(b"hostaddr=127.0.0.1 port=1")
    text = made.encrypt_password(password.encode(), b"someone", b"scram-sha-256").decode()
    _, iterated, keys = text.split("$")
    salt, stored, server = (base64.b64decode(each) for each in (iterated.split(":")[1], *keys.split(":")))
    assert Verifier.of(password, _Salt(salt)) == Verifier(salt, stored, server)


def test_another_mechanism_is_refused() -> None:
    assert _error(_prove("right", mechanism="PLAIN"))["C"] == "08P01"


@pytest.mark.parametrize(
    "first", ["", "n", "n,,", "n,,n=x", "n,,r=x", "x,,n=,r=y", "n,a=other,n=,r=y", "n,,n=,r=", "n,,,"]
)
def test_a_malformed_first_message_is_refused(first: str) -> None:
    conversation = _POLICY.conversation("someone", Credentials(first_superuser=True))
    with pytest.raises(SqlError) as raised:
        conversation.first(frames.text("SCRAM-SHA-256") + struct.pack(">i", len(first)) + first.encode())
    assert raised.value.sqlstate == "08P01"


@pytest.mark.parametrize("message", [frames.query("SELECT 1"), frames.frame("p", b""), frames.frame("p", b"\xff" * 9)])
def test_nothing_is_answered_before_the_proof(message: bytes) -> None:
    async def scenario() -> None:
        options = ConnectionOptions(gate=_asking(), authentication=_POLICY)
        backend = ToyBackend()
        wire = Wire(backend, options, address=_FAR)
        await wire.exchange(HELLO)
        assert _error(await wire.exchange(message))["S"] == "FATAL"
        assert wire.transport.closed
        assert backend.opened == 0

    asyncio.run(scenario())


def test_where_there_is_no_password_none_will_do() -> None:
    assert _error(_prove("", policy=AuthenticationPolicy()))["C"] == "28P01"
