"""Proofs of passwords, by SCRAM-SHA-256. Of whom one is asked is `server.admission`'s matter.

Over TLS the proof may hold for this channel alone (SCRAM-SHA-256-PLUS): nobody who stands between can pass it on.
A policy picks a `Conversation` or none; the conversation is bytes in, bytes out (RFC 5802), without I/O.
"""

from __future__ import annotations

import hmac
import re
import struct
from dataclasses import dataclass, replace
from typing import Any

import scramp
from scramp.utils import ServerError

from model.errors.sqlstate import Sqlstate
from server.pgwire.backend import Credentials
from server.pgwire.codec import fatal
from server.pgwire.verifier import Verifier

_MECHANISM, _BOUND_MECHANISM = "SCRAM-SHA-256", "SCRAM-SHA-256-PLUS"
_BINDING = "tls-server-end-point"
_LENGTH = struct.Struct(">i")
_FIRST = re.compile(r"([^,]*,[^,]*,)(n=[^,]*)(,.*)", re.DOTALL)
"""The client's first message: how the channel is bound and for whom, the user's name, the rest."""
_ANY_NAME = "n=*"


@dataclass(frozen=True, slots=True)
class AuthenticationPolicy:
    """The way in which clients prove who they are. `verifier` checks the password of the first superuser; other roles
    have passwords of their own. `given`: the server was told that password, and has not made it, so that it goes before
    one of the catalog."""

    verifier: Verifier | None = None
    given: bool = True

    def conversation(self, user: str, known: Credentials, end_point: bytes | None = None) -> Conversation:
        """Returns the conversation in which `user` proves a password. `end_point`: the binding of the channel. Raises
        SqlError FATAL where no password would do."""
        verifier, void = self._verifier_of(user, known)
        return Conversation(user, verifier, end_point, void=void)

    def is_proven_by(self, user: str, known: Credentials, password: str) -> bool:
        """Tells whether `password`, told as it is, is that of `user`. That takes as long for a user who has none.
        Raises SqlError FATAL where no password would do."""
        verifier, void = self._verifier_of(user, known)
        return verifier.is_of(password) and not void

    def is_void(self, user: str, known: Credentials) -> bool:
        """Tells whether no password lets `user` in: there is none, or it has expired. Raises SqlError FATAL where no
        password would do."""
        return self._verifier_of(user, known)[1]

    def _verifier_of(self, user: str, known: Credentials) -> tuple[Verifier, bool]:
        """Returns the verifier of a user's password, and whether nothing proves it."""
        if known.first_superuser and self.verifier is not None and (self.given or known.password is None):
            return self.verifier, False
        if known.password is not None:
            own = Verifier.read(known.password)
            assert own is not None, "the catalog keeps verifiers"
            return own, known.expired
        if self.verifier is None:
            raise fatal(f'password authentication failed for user "{user}"', Sqlstate.INVALID_PASSWORD)
        # A role without a password is asked for one all the same: nobody is told which roles there are.
        return _of_nobody(self.verifier, user), True


def _of_nobody(verifier: Verifier, user: str) -> Verifier:
    """Returns a verifier for a user who has no password. The salt is derived from the user's name, so that it stays the
    same from one attempt to the next, like a real user's salt."""
    salt = hmac.digest(verifier.server_key, user.encode(), "sha256")[: len(verifier.salt)]
    return replace(verifier, salt=salt)


class Conversation:
    """One client's proof: `first` takes SASLInitialResponse, `final` takes SASLResponse. A `void` one
    never succeeds."""

    def __init__(self, user: str, verifier: Verifier, end_point: bytes | None = None, *, void: bool = False) -> None:
        self._user = user
        self._void = void
        self._secret = verifier.salt, verifier.stored_key, verifier.server_key, verifier.iterations
        self._end_point = end_point
        self._server: Any = None

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """Returns the mechanisms to choose from, the best first."""
        return (_MECHANISM,) if self._end_point is None else (_BOUND_MECHANISM, _MECHANISM)

    def first(self, body: bytes) -> bytes:
        """Returns the server-first message. Raises SqlError FATAL for another mechanism or a malformed message."""
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
        """Handles the client's first message, with any user name in it: the name in the start-up message counts, and
        libpq leaves this one empty, which the library refuses."""
        match = _FIRST.fullmatch(message)
        if match is None or bound is not message.startswith("p="):
            raise ValueError(message)
        self._server.set_client_first(match[1] + _ANY_NAME + match[3])
        # The client signs its message as it has sent it.
        self._server.client_first_bare = match[2] + match[3]

    def final(self, body: bytes) -> bytes:
        """Returns the server-final message; raises 28P01 for the wrong password."""
        try:
            self._server.set_client_final(body.decode())
            if self._void:
                raise ValueError(self._user)
            return bytes(self._server.get_server_final().encode())
        except (scramp.ScramException, ValueError) as error:
            if getattr(error, "server_error", None) is ServerError.CHANNEL_BINDINGS_DONT_MATCH:
                raise fatal(
                    "SCRAM channel binding check failed", Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION
                ) from None
            raise fatal(f'password authentication failed for user "{self._user}"', Sqlstate.INVALID_PASSWORD) from None
