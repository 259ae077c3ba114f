"""A session's activity, as other sessions see it, and its timeout when idle within a transaction."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable
from dataclasses import replace

from catalog.declared.snapshot import EncryptionStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.tls.files import facts_of, line_of
from server.tls.session import Encryption
from server.transactions.transaction import Transaction


def encryption_status(encryption: Encryption) -> EncryptionStatus:
    """Returns the columns of pg_stat_ssl."""
    told = EncryptionStatus(encryption.version, encryption.cipher, encryption.bits)
    if encryption.certificate is None:
        return told
    facts = facts_of(encryption.certificate)
    return replace(
        told,
        client_name=None if facts.subject is None else line_of(facts.subject),
        client_serial=facts.serial,
        issuer_name=None if facts.issuer is None else line_of(facts.issuer),
    )


class Activity:
    """A session's activity. `query` is the text that runs or has run last, "" before the first. `end_connection`
    ends a session that has been idle too long."""

    def __init__(self, now: Callable[[], datetime.datetime], end_connection: Callable[[SqlError], None]) -> None:
        self._now = now
        self._end_connection = end_connection
        self._active = False
        self._idle_timer: asyncio.TimerHandle | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Begins anew: the session has connected, and has run nothing."""
        self.connected_at = self._now()
        self.query = ""
        self.query_started_at: datetime.datetime | None = None

    def begin(self, sql: str) -> None:
        """Begins the work on a text."""
        self._active = True
        self.query = sql
        self.query_started_at = self._now()
        self.stop_timer()

    @property
    def elapsed_s(self) -> float | None:
        """How long the present work has taken; None without any."""
        if not self._active or self.query_started_at is None:
            return None
        return max((self._now() - self.query_started_at).total_seconds(), 0.0)

    def end(self, idle_timeout_ms: int) -> None:
        """Ends the work; the session may be idle so long, 0 for ever."""
        self._active = False
        if idle_timeout_ms:
            self.stop_timer()
            self._idle_timer = asyncio.get_running_loop().call_later(idle_timeout_ms / 1000, self._end_idle)

    @property
    def active(self) -> bool:
        """Returns whether work is under way."""
        return self._active

    def state(self, transaction: Transaction | None) -> str:
        """Returns the state as pg_stat_activity has it."""
        if self._active:
            return "active"
        if transaction is None or not transaction.explicit:
            return "idle"
        return "idle in transaction (aborted)" if transaction.failed else "idle in transaction"

    def stop_timer(self) -> None:
        """Stops the timeout for idle sessions."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _end_idle(self) -> None:
        message = "terminating connection due to idle-in-transaction timeout"
        self._end_connection(SqlError(Sqlstate.IDLE_IN_TRANSACTION_SESSION_TIMEOUT, message))
