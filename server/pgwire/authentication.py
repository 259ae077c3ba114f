"""Who may connect: on loopback whoever asks, elsewhere those who prove a password by SCRAM-SHA-256.

A policy picks a `Conversation` or none; the conversation is bytes in, bytes out (RFC 5802), without I/O.
"""

from __future__ import annotations

import ipaddress
import struct
from collections.abc import Callable
from dataclasses import dataclass

import scramp

from model.clock import SystemRandomness
from model.sqlstate import Sqlstate
from server.pgwire.codec import fatal

MECHANISM = "SCRAM-SHA-256"
_ITERATIONS = 4096
_LENGTH = struct.Struct(">i")


@dataclass(frozen=True, slots=True)
class AuthenticationPolicy:
    """`password` gives a user's password, None for who has none; without it only loopback clients are let in."""

    password: Callable[[str], str | None] | None = None

    def conversation(self, user: str, address: str) -> Conversation | None:
        """None when `user` need prove nothing; SqlError FATAL when there is no way in."""
        if is_loopback(address):
            return None
        if self.password is None:
            raise fatal(
                f'no password is set up for connections from host "{address}", user "{user}"',
                Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION,
                hint="Connect over loopback, or configure a password.",
            )
        return Conversation(user, self.password(user))


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

    def __init__(self, user: str, password: str | None) -> None:
        # Who has no password goes through the same steps with one nobody knows, and learns nothing from it.
        self._user = user
        self._known = password is not None
        mechanism = scramp.ScramMechanism(mechanism=MECHANISM)
        secret = mechanism.make_auth_info(
            password if password is not None else SystemRandomness().token(), iteration_count=_ITERATIONS
        )
        self._server = mechanism.make_server(lambda _: secret)
        self.started = False

    def first(self, body: bytes) -> bytes:
        """The server-first message. SqlError FATAL for another mechanism or a malformed message."""
        self.started = True
        name, _, rest = body.partition(b"\0")
        if name.decode(errors="replace") != MECHANISM:
            raise fatal("client selected an invalid SASL authentication mechanism")
        if len(rest) < _LENGTH.size or _LENGTH.unpack_from(rest)[0] != len(rest) - _LENGTH.size:
            raise fatal("malformed SCRAM message")
        try:
            self._server.set_client_first(rest[_LENGTH.size :].decode())
            return bytes(self._server.get_server_first().encode())
        except (scramp.ScramException, ValueError):
            raise fatal("malformed SCRAM message") from None

    def final(self, body: bytes) -> bytes:
        """The server-final message; 28P01 for the wrong password."""
        try:
            self._server.set_client_final(body.decode())
            proof = bytes(self._server.get_server_final().encode())
        except (scramp.ScramException, ValueError):
            raise self._refused() from None
        if not self._known:
            raise self._refused()
        return proof

    def _refused(self) -> Exception:
        return fatal(f'password authentication failed for user "{self._user}"', Sqlstate.INVALID_PASSWORD)
