"""Decides who may connect: who proves the password, by SCRAM-SHA-256, or without one clients of the loopback alone.

A password is asked of everyone, whatever their address: other users of the machine come over the loopback, too.
Over TLS the proof may hold for this channel alone (SCRAM-SHA-256-PLUS): nobody who stands between can pass it on.
A policy picks a `Conversation` or none; the conversation is bytes in, bytes out (RFC 5802), without I/O.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
import struct
from dataclasses import dataclass
from typing import Any, Self

import scramp
from scramp.utils import ServerError, saslprep

from model.errors.sqlstate import Sqlstate
from model.time.clock import Randomness
from server.pgwire.codec import fatal

_MECHANISM, _BOUND_MECHANISM = "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"
_BINDING = "tls-server-end-point"
_ITERATIONS = 4096
_SALT_BYTES = 16
_HASH = "sha256"
_LENGTH = struct.Struct(">i")
_FIRST = re.compile(r"([^,]*,[^,]*,)(n=[^,]*)(,.*)", re.DOTALL)
"""The client's first message: how the channel is bound and for whom, the user's name, the rest."""
_ANY_NAME = "n=*"


@dataclass(frozen=True, slots=True)
class Verifier:
    """What proofs of one password are checked with, computed once: it takes milliseconds."""

    salt: bytes
    stored_key: bytes
    server_key: bytes

    @classmethod
    def of(cls, password: str, randomness: Randomness) -> Self:
        """Returns the password's verifier with a new salt. As PostgreSQL does, a text that SASLprep refuses, such as an
        emoji, is taken as it is."""
        try:
            prepared = saslprep(password) or password
        except scramp.ScramException:
            prepared = password
        salt = bytes.fromhex(randomness.token())[:_SALT_BYTES]
        salted = hashlib.pbkdf2_hmac(_HASH, prepared.encode(), salt, _ITERATIONS)
        client_key = hmac.digest(salted, b"Client Key", _HASH)
        return cls(salt, hashlib.new(_HASH, client_key).digest(), hmac.digest(salted, b"Server Key", _HASH))


@dataclass(frozen=True, slots=True)
class AuthenticationPolicy:
    """`verifier` is the password's that all must prove; without one only loopback clients are let in."""

    verifier: Verifier | None = None

    def conversation(self, user: str, address: str, end_point: bytes | None = None) -> Conversation | None:
        """None when `user` need prove nothing; SqlError FATAL when there is no way in. `end_point` is what the channel
        can be bound with."""
        if self.verifier is not None:
            return Conversation(user, self.verifier, end_point)
        if is_loopback(address):
            return None
        raise fatal(
            f'no password is set up for connections from host "{address}", user "{user}"',
            Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
            hint="Connect over loopback, or configure a password.",
        )


def is_loopback(address: str) -> bool:
    """Also true of Unix sockets, whose address is empty."""
    if not address:
        return True
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return (mapped or parsed).is_loopback


class Conversation:
    """One client's proof: `first` takes SASLInitialResponse, `final` takes SASLResponse."""

    def __init__(self, user: str, verifier: Verifier, end_point: bytes | None = None) -> None:
        self._user = user
        self._secret = verifier.salt, verifier.stored_key, verifier.server_key, _ITERATIONS
        self._end_point = end_point
        self._server: Any = None

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """What the client may choose from, the best first."""
        return (_MECHANISM,) if self._end_point is None else (_BOUND_MECHANISM, _MECHANISM)

    def first(self, body: bytes) -> bytes:
        """The server-first message. SqlError FATAL for another mechanism or a malformed message."""
        mechanism, _, rest = body.partition(b"\0")
        name = mechanism.decode(errors="replace")
        if name not in self.mechanisms:
            raise fatal("client selected an invalid SASL authentication mechanism")
        binding = None if self._end_point is None else (_BINDING, self._end_point)
        self._server = scramp.ScramMechanism(mechanism=name).make_server(
            lambda _: self._secret, channel_binding=binding
        )
        if len(rest) < _LENGTH.size or _LENGTH.unpack_from(rest)[0] != len(rest) - _LENGTH.size:
            raise fatal("malformed SCRAM message")
        try:
            self._take_first(rest[_LENGTH.size :].decode(), bound=name == _BOUND_MECHANISM)
            return bytes(self._server.get_server_first().encode())
        except (scramp.ScramException, ValueError) as error:
            if getattr(error, "server_error", None) is ServerError.SERVER_DOES_SUPPORT_CHANNEL_BINDING:
                raise fatal(
                    "SCRAM channel binding negotiation error",
                    Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
                    detail="The client supports SCRAM channel binding but thinks the server does not."
                    "  However, this server does support channel binding.",
                ) from None
            raise fatal("malformed SCRAM message") from None

    def _take_first(self, message: str, *, bound: bool) -> None:
        """Takes the client's first message, whatever user it names: who connects stands in the startup message, and
        libpq leaves the name empty here, which the library refuses."""
        match = _FIRST.fullmatch(message)
        if match is None or bound is not message.startswith("p="):
            raise ValueError(message)
        self._server.set_client_first(match[1] + _ANY_NAME + match[3])
        # The client signs its message as it has sent it.
        self._server.client_first_bare = match[2] + match[3]

    def final(self, body: bytes) -> bytes:
        """The server-final message; 28P01 for the wrong password."""
        try:
            self._server.set_client_final(body.decode())
            return bytes(self._server.get_server_final().encode())
        except (scramp.ScramException, ValueError) as error:
            if getattr(error, "server_error", None) is ServerError.CHANNEL_BINDINGS_DONT_MATCH:
                raise fatal(
                    "SCRAM channel binding check failed", Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION
                ) from None
            raise fatal(f'password authentication failed for user "{self._user}"', Sqlstate.INVALID_PASSWORD) from None
