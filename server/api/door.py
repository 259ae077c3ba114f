"""Reads a user and a password (RFC 7617), and holds both against the rules and verifiers of pgwire."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from dataclasses import dataclass, field

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.admission.gate import Gate, Knock, Proof
from server.admission.refusals import REFUSALS
from server.http.exchange import Exchange
from server.http.request import Refused
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.backend import Backend, Credentials

_SCHEME = "basic"
_CHALLENGE = (("www-authenticate", 'Basic realm="headwater", charset="UTF-8"'),)
_NAME_BYTES_MAX = 63
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class _Proven:
    """The proof of a connection's user, and the state of the role at that time."""

    told: bytes = field(repr=False)
    database: str
    known: Credentials


class Door:
    """Lets users in as pgwire does, by the same rules, verifiers and counts of failed attempts."""

    def __init__(self, backend: Backend, gate: Gate, policy: AuthenticationPolicy) -> None:
        self._backend = backend
        self._gate = gate
        self._policy = policy

    async def user_of(self, exchange: Exchange, database: str | None = None) -> str:
        """Returns the user who asks for a database, by default the database of the user's name. Raises 401 for a wrong
        password, 403 for a user who may not come in, and 429 for a user who has to wait.

        A connection's user is proven once, and again when the role has changed."""
        told = exchange.head.headers.value("authorization", as_bytes=True)
        if not isinstance(told, bytes):
            raise Refused(401, "a user and a password are asked for", headers=_CHALLENGE)
        user, password = _read(told)
        known = self._backend.credentials(user)
        proven = _Proven(told, database or user, known)
        if exchange.proven != proven:
            knock = self._knock(exchange, user, proven.database, known)
            try:
                await self._prove(knock, known, password)
            except SqlError as error:
                REFUSALS.tell(asyncio.get_running_loop().time(), exchange.peer.there[0], user, error)
                raise _refused(error) from None
            exchange.proven = proven
        return user

    def _knock(self, exchange: Exchange, user: str, database: str, known: Credentials) -> Knock:
        peer, has_password = exchange.peer, known.password is not None
        return Knock(user, database, peer.there, peer.here, peer.socket, peer.encryption, known.roles, has_password)

    async def _prove(self, knock: Knock, known: Credentials, password: str) -> None:
        """Raises SqlError when there is no way in, or the password is wrong."""
        if await self._gate.proof(knock) is Proof.NOTHING:
            return
        await self._gate.await_turn(knock)
        # It takes milliseconds, or as long as the role's own verifier wants.
        proven = await asyncio.to_thread(self._policy.is_proven_by, knock.user, known, password)
        if not proven:
            self._gate.failed(knock)
        # The password may have been changed meanwhile.
        if not proven or self._backend.credentials(knock.user) != known:
            message = f'password authentication failed for user "{knock.user}"'
            raise SqlError(Sqlstate.INVALID_PASSWORD, message)
        self._gate.came_in(knock)


def _refused(error: SqlError) -> Refused:
    """Returns the answer to a user who may not come in."""
    match error.sqlstate:
        case Sqlstate.INVALID_PASSWORD:
            return Refused(401, error.message, headers=_CHALLENGE)
        case Sqlstate.TOO_MANY_CONNECTIONS:
            return Refused(429, error.message, retry=True)
        case _:
            return Refused(403, error.message)


def _read(told: bytes) -> tuple[str, str]:
    """Returns the user and the password of an Authorization header; raises 401 for a header of another scheme."""
    scheme, _, encoded = told.partition(b" ")
    try:
        if scheme.decode("ascii").lower() != _SCHEME:
            raise ValueError
        user, colon, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (ValueError, binascii.Error):
        raise Refused(401, "a user and a password are asked for", headers=_CHALLENGE) from None
    if not colon or not user or len(user.encode()) > _NAME_BYTES_MAX or _CONTROL.search(user + password):
        raise Refused(401, "this is no user and password", headers=_CHALLENGE)
    return user, password
