"""Reads a user and a password (RFC 7617), or a token (RFC 6750), and holds them against the rules and verifiers of
pgwire."""

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
from server.admission.rules import Rule
from server.api.tokens import Tokens
from server.http.exchange import Exchange
from server.http.request import HttpPeer, Refused
from server.pgwire.authentication import AuthenticationPolicy
from server.pgwire.backend import Backend, Credentials

_BASIC, _BEARER = "basic", "bearer"
_CHALLENGE = (("www-authenticate", 'Basic realm="headwater", charset="UTF-8"'),)
_CHALLENGE_OF_TOKEN = (("www-authenticate", 'Bearer realm="headwater", error="invalid_token"'),)
_NAME_BYTES_MAX = 63
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Entered:
    """A user who has come in. `with_password`: the user has proven one, now or when the token was given."""

    user: str
    with_password: bool


@dataclass(frozen=True, slots=True)
class _Proven:
    """The proof of a connection's user, and the state of the role and the rules at that time."""

    told: bytes = field(repr=False)
    database: str
    known: Credentials
    rules: tuple[Rule, ...]
    entered: Entered


class Door:
    """Lets users in as pgwire does, by the same rules, verifiers and counts of failed attempts."""

    def __init__(self, backend: Backend, gate: Gate, policy: AuthenticationPolicy, tokens: Tokens) -> None:
        self._backend = backend
        self._gate = gate
        self._policy = policy
        self._tokens = tokens

    async def user_of(self, exchange: Exchange, database: str | None = None) -> str:
        """Returns the user who asks for a database, by default the database of the user's name. Raises 401 for a wrong
        password or a void token, 403 for a user who may not come in, and 429 for a user who has to wait."""
        scheme, told = _authorization(exchange)
        if scheme != _BEARER:
            return (await self.came_in_by_password(exchange, database)).user
        try:
            token = told.decode("ascii")
        except UnicodeDecodeError:
            token = ""
        try:
            return await self.came_in_by_token(exchange.peer, token, database)
        except SqlError as error:
            raise _refused(error, _CHALLENGE_OF_TOKEN) from None

    async def came_in_by_password(self, exchange: Exchange, database: str | None = None) -> Entered:
        """Returns the user of a request with a user and a password; raises as `user_of` does, also for a token.

        A connection's user is proven once, and again when the role or the rules have changed."""
        scheme, told = _authorization(exchange)
        if scheme != _BASIC:
            raise Refused(401, "a user and a password are asked for", headers=_CHALLENGE)
        user, password = _read(told)
        wanted, known, before = database or user, self._backend.credentials(user), exchange.proven
        rules = self._gate.rules
        asked = (told, wanted, known, rules)
        if isinstance(before, _Proven) and (before.told, before.database, before.known, before.rules) == asked:
            return before.entered
        try:
            entered = await self.prove(exchange.peer, user, password, wanted)
        except SqlError as error:
            raise _refused(error, _CHALLENGE) from None
        exchange.proven = _Proven(told, wanted, known, rules, entered)
        return entered

    async def prove(self, peer: HttpPeer, user: str, password: str, database: str) -> Entered:
        """Lets a user in by a password, where one is asked for. Raises SqlError when the password is wrong, or the user
        may not come in."""
        known = self._backend.credentials(user)
        knock = _knock(peer, user, database, known)
        try:
            if not is_name(user) or _CONTROL.search(password):
                raise _wrong_password(user)
            if await self._gate.proof(knock) is Proof.NOTHING:
                return Entered(user, with_password=False)
            await self._gate.await_turn(knock)
            # It takes milliseconds, or as long as the role's own verifier wants.
            proven = await asyncio.to_thread(self._policy.is_proven_by, knock.user, known, password)
            if not proven:
                self._gate.failed(knock)
            # The password may have been changed meanwhile.
            if not proven or self._backend.credentials(knock.user) != known:
                raise _wrong_password(user)
        except SqlError as error:
            REFUSALS.tell(asyncio.get_running_loop().time(), peer.there[0], user, error)
            raise
        self._gate.came_in(knock)
        return Entered(user, with_password=True)

    async def came_in_by_token(self, peer: HttpPeer, token: str, database: str | None = None) -> str:
        """Returns the user of a token. Raises SqlError for a void token, and where the rules don't let the user in: a
        token that was given without a password takes nobody where one is asked for."""
        given = self._tokens.of(token)
        if given is None:
            raise _void_token()
        user = given.role.name
        known = self._backend.credentials(user)
        if given.with_password and self._policy.is_void(user, known):
            raise _void_token()
        proof = await self._gate.proof(_knock(peer, user, database or user, known))
        # The role may have been altered meanwhile.
        if self._tokens.of(token) is not given or (proof is Proof.PASSWORD and not given.with_password):
            raise _void_token()
        return user


def is_name(user: str) -> bool:
    """Tells whether a text can be a user's name."""
    return 0 < len(user.encode("utf-8", "surrogatepass")) <= _NAME_BYTES_MAX and not _CONTROL.search(user)


def _knock(peer: HttpPeer, user: str, database: str, known: Credentials) -> Knock:
    has_password = known.password is not None
    return Knock(user, database, peer.there, peer.here, peer.socket, peer.encryption, known.roles, has_password)


def _wrong_password(user: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_PASSWORD, f'password authentication failed for user "{user}"')


def _void_token() -> SqlError:
    return SqlError(Sqlstate.INVALID_PASSWORD, "the token is unknown, or no longer good")


def _refused(error: SqlError, challenge: tuple[tuple[str, str], ...]) -> Refused:
    """Returns the answer to a user who may not come in."""
    match error.sqlstate:
        case Sqlstate.INVALID_PASSWORD:
            return Refused(401, error.message, headers=challenge)
        case Sqlstate.TOO_MANY_CONNECTIONS:
            return Refused(429, error.message, retry=True)
        case _:
            return Refused(403, error.message)


def _authorization(exchange: Exchange) -> tuple[str, bytes]:
    """Returns the scheme of the Authorization header in lower case, and what it tells; raises 401 without the
    header."""
    told = exchange.head.headers.value("authorization", as_bytes=True)
    if not isinstance(told, bytes):
        raise Refused(401, "a user and a password are asked for", headers=_CHALLENGE)
    scheme, _, rest = told.partition(b" ")
    return scheme.decode("ascii", "replace").lower(), rest.strip()


def _read(encoded: bytes) -> tuple[str, str]:
    """Returns the user and the password of an Authorization header; raises 401 for what is neither."""
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (ValueError, binascii.Error):
        raise Refused(401, "a user and a password are asked for", headers=_CHALLENGE) from None
    if not colon or not is_name(user) or _CONTROL.search(password):
        raise Refused(401, "this is no user and password", headers=_CHALLENGE)
    return user, password
