"""Decides about a client that has connected: let in, asked for a password, or refused."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NoReturn, Protocol

from catalog.declared.snapshot import RuleStatus
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from server.admission.attempts import Attempts
from server.admission.owner import name_of, owner_of, peer_of
from server.admission.rule_file import parse_rules
from server.admission.rule_rows import rule_rows
from server.admission.rules import Address, Attempt, Here, ProofMethod, Rule, matching, plain_address
from server.tls.files import common_name
from server.tls.session import Encryption

WITHOUT_PASSWORD = """
local all all owner
host all all 127.0.0.0/8 owner
host all all ::1/128 owner
host all all all scram-sha-256
"""
"""Rules of a server that was given no password: its own Unix user comes in, others prove what they can't know unless
they read a file of that user's, or have a password of their own."""
WITH_PASSWORD = """
local all all scram-sha-256
host all all all scram-sha-256
"""


class Proof(Enum):
    """The proof that a client has to give."""

    NOTHING = auto()
    PASSWORD = auto()


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody who has connected, and says who he is. `socket` is None where there is none; `here` and `there` are the
    ends of a TCP connection, empty over a Unix socket."""

    user: str
    database: str
    there: tuple[str, int] | None = None
    here: tuple[str, int] | None = None
    connection: socket.socket | None = None
    encryption: Encryption | None = None
    roles: frozenset[str] = frozenset()
    has_password: bool = False

    @property
    def address(self) -> Address | None:
        return None if self.there is None else plain_address(self.there[0])

    @property
    def told(self) -> str:
        """Returns the words of errors for the client."""
        host = "[local]" if self.there is None else self.there[0]
        encryption = "no encryption" if self.encryption is None else "SSL encryption"
        return f'host "{host}", user "{self.user}", database "{self.database}", {encryption}'


class RuleSource(Protocol):
    """A source of rules: the rules in force, and the machine's addresses."""

    @property
    def rules(self) -> tuple[Rule, ...]: ...

    @property
    def here(self) -> Here: ...


@dataclass(frozen=True, slots=True)
class GivenRules:
    """Rules of no file, with their rows."""

    rules: tuple[Rule, ...]
    rows: tuple[RuleStatus, ...]
    here: Here = field(default_factory=Here)


def given_rules(text: str) -> GivenRules:
    """Returns the rules of a text, all of which is right."""
    parsed = parse_rules(text.strip())
    assert not parsed.wrong, parsed.wrong
    return GivenRules(parsed.rules, rule_rows(parsed, None))


class Gate:
    """Rules, and who has failed to prove who he is."""

    def __init__(self, source: RuleSource, now: Callable[[], float] | None = None) -> None:
        """`now` is seconds of a clock that only goes forward; by default the event loop's."""
        self._source = source
        self._attempts = Attempts()
        self._now = now

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Returns the rules in force."""
        return self._source.rules

    async def proof(self, knock: Knock) -> Proof:
        """Finds the rule of pg_hba.conf for a client, and returns the proof that the client still has to give. Raises
        SqlError (FATAL) when the client may not enter at all."""
        if knock.there is not None and knock.address is None:
            _refuse(f"no pg_hba.conf entry for {knock.told}")
        attempt = Attempt(knock.user, knock.database, knock.address, knock.encryption is not None, knock.roles)
        rule = matching(self._source.rules, attempt, self._source.here)
        if rule is None:
            _refuse(f"no pg_hba.conf entry for {knock.told}")
        if rule.method is ProofMethod.REJECT:
            _refuse(f"pg_hba.conf rejects connection for {knock.told}")
        if "clientcert" in rule.options:
            _check_certificate(rule, knock)
        match rule.method:
            case ProofMethod.TRUST | ProofMethod.CERT:
                return Proof.NOTHING
            case ProofMethod.SCRAM | ProofMethod.MD5:
                return Proof.PASSWORD
            case ProofMethod.OWNER:
                # A password that was set for a role is asked of everybody who comes as that role.
                own = not knock.has_password and await _owner(knock) == os.geteuid()
                return Proof.NOTHING if own else Proof.PASSWORD
            case ProofMethod.PEER | ProofMethod.IDENT:
                uid = await _owner(knock)
                # The names of Unix users may come from another machine.
                if uid is None or await asyncio.to_thread(name_of, uid) != knock.user:
                    _refuse(f'{rule.method.value.capitalize()} authentication failed for user "{knock.user}"')
                return Proof.NOTHING

    async def await_turn(self, knock: Knock) -> None:
        """Waits, where others have failed from this address or as this role. Raises SqlError FATAL when too many
        wait."""
        seconds = self._attempts.wait_s(knock.address, knock.user, self._time())
        if seconds is None:
            message = "too many failed logins from this address"
            raise SqlError(Sqlstate.TOO_MANY_CONNECTIONS, message, severity=Severity.FATAL, hint="Try again later.")
        if seconds:
            await asyncio.sleep(seconds)

    def failed(self, knock: Knock) -> None:
        """Notes that the password was wrong."""
        self._attempts.failed(knock.address, knock.user, self._time())

    def came_in(self, knock: Knock) -> None:
        """Notes that the password was right."""
        self._attempts.came_in(knock.address, knock.user, self._time())

    def _time(self) -> float:
        return asyncio.get_running_loop().time() if self._now is None else self._now()


async def _owner(knock: Knock) -> int | None:
    """Returns the uid of who has connected, where the system knows it."""
    if knock.there is None or knock.here is None:
        return None if knock.connection is None else peer_of(knock.connection)
    there, here = knock.address, plain_address(knock.here[0])
    if there is None or here is None or not there.is_loopback:
        return None
    # Thousands of sockets may stand in the system's table.
    return await asyncio.to_thread(owner_of, ((there, knock.there[1]), (here, knock.here[1])))


def _check_certificate(rule: Rule, knock: Knock) -> None:
    certificate = None if knock.encryption is None else knock.encryption.certificate
    if certificate is None:
        _refuse("connection requires a valid client certificate")
    if rule.options["clientcert"] == "verify-full" and common_name(certificate) != knock.user:
        _refuse(f'certificate authentication failed for user "{knock.user}"')


def _refuse(message: str) -> NoReturn:
    raise SqlError(Sqlstate.INVALID_AUTHORIZATION_SPECIFICATION, message, severity=Severity.FATAL)
