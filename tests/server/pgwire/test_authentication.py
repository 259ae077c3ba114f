"""Who is let in: loopback without a word, others by SCRAM-SHA-256 or not at all."""

from __future__ import annotations

import asyncio
import struct

import pytest
import scramp

from server.pgwire.authentication import AuthenticationPolicy, is_loopback
from server.pgwire.connection import ConnectionOptions
from tests.server.pgwire import frames
from tests.server.pgwire.toy import ToyBackend
from tests.server.pgwire.wire import HELLO, Wire

_FAR = "192.0.2.7"


def _password(user: str) -> str | None:
    return "right" if user == "someone" else None


def _prove(hello: bytes, password: str, *, mechanism: str = "SCRAM-SHA-256") -> bytes:
    """Everything that the server says to a far client with `password`."""

    async def scenario() -> bytes:
        options = ConnectionOptions(authentication=AuthenticationPolicy(_password))
        wire = Wire(ToyBackend(), options, address=_FAR)
        said = await wire.exchange(hello)
        client = scramp.ScramClient(["SCRAM-SHA-256"], "someone", password)
        first = client.get_client_first().encode()
        body = frames.text(mechanism) + struct.pack(">i", len(first)) + first
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

    return asyncio.run(asyncio.wait_for(scenario(), 20))


def _error(data: bytes) -> dict[str, str]:
    return next(frames.error_fields(body) for kind, body in frames.messages(data) if kind == "E")


def test_the_right_password_is_proved_on_both_sides() -> None:
    said = _prove(HELLO, "right")
    codes = [struct.unpack(">i", body[:4])[0] for kind, body in frames.messages(said) if kind == "R"]
    assert codes == [10, 11, 12, 0]
    assert frames.kinds(said).endswith("Z")


def test_a_wrong_password_and_an_unknown_user_are_refused_alike() -> None:
    wrong = _error(_prove(HELLO, "wrong"))
    unknown = _error(_prove(frames.startup({"user": "nobody"}), "right"))
    assert wrong["C"] == unknown["C"] == "28P01"
    assert wrong["M"].replace("someone", "nobody") == unknown["M"]


def test_another_mechanism_is_refused() -> None:
    assert _error(_prove(HELLO, "right", mechanism="PLAIN"))["C"] == "08P01"


@pytest.mark.parametrize("message", [frames.query("SELECT 1"), frames.frame("p", b""), frames.frame("p", b"\xff" * 9)])
def test_nothing_is_answered_before_the_proof(message: bytes) -> None:
    async def scenario() -> None:
        options = ConnectionOptions(authentication=AuthenticationPolicy(_password))
        backend = ToyBackend()
        wire = Wire(backend, options, address=_FAR)
        await wire.exchange(HELLO)
        assert _error(await wire.exchange(message))["S"] == "FATAL"
        assert wire.transport.closed
        assert backend.opened == 0

    asyncio.run(scenario())


def test_without_passwords_only_loopback_is_let_in() -> None:
    async def scenario() -> None:
        far = Wire(ToyBackend(), address=_FAR)
        assert _error(await far.exchange(HELLO))["C"] == "28000"
        near = Wire(ToyBackend(), address="::1")
        assert frames.kinds(await near.exchange(HELLO)).endswith("Z")

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("address", "near"),
    [("127.0.0.1", True), ("127.8.9.10", True), ("::1", True), ("::ffff:127.0.0.1", True), ("", True),
     ("192.0.2.7", False), ("::ffff:192.0.2.7", False), ("fe80::1%eth0", False), ("localhost", False)],
)  # fmt: skip
def test_loopback_addresses(address: str, near: bool) -> None:
    assert is_loopback(address) is near
