"""The facts about a session that functions ask for: planner.functions.system.session_facts.SessionFacts, for one
execution.

A function with effects is refused where the transaction may have none.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from catalog.facts.roles.decide import has_privileges_of, is_superuser
from catalog.facts.roles.predefined import SIGNAL_BACKEND
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.functions.system.lock_lookup import AdvisoryLock
from planner.functions.system.sequence_lookup import SequenceLookup
from server.ledgers.notifications import checked_note
from server.settings.becoming import ROLE, SESSION
from server.settings.known_values import require_known
from server.settings.variables import VERSION_TEXT
from server.transactions.advisory import ExecutionLocks
from server.transactions.lookup import ExecutionSequences

if TYPE_CHECKING:
    from server.transactions.execution import Execution


class ExecutionFacts:
    """The session's settings, channels, sequences and locks, as the functions of one execution ask for them."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    def setting(self, name: str) -> str | None:
        """Returns the value that SHOW prints; None for an unknown setting."""
        return self._execution.setting(name)

    def change_setting(self, name: str, value: str | None, local: bool) -> str:
        """Executes set_config()."""
        self._execution.transaction.require_effects("set_config()")
        variable = name.lower()
        if variable in (ROLE, SESSION):
            role = None if variable == ROLE and value == "none" else value
            return self._execution.asker.change_role(self._execution.catalog, variable, role, local)
        require_known(name, value, self._execution.catalog)
        return self._execution.asker.change_setting(name, value, local)

    def signal_session(self, pid: int, end: bool) -> bool:
        """Executes pg_cancel_backend() and pg_terminate_backend(). Raises SqlError 42501 for another role's session,
        but for who has that role's privileges, or pg_signal_backend's; a superuser's is for superusers."""
        self._execution.transaction.require_effects("pg_terminate_backend()" if end else "pg_cancel_backend()")
        session = self._execution.environment.clients.sessions.get(pid)
        if session is None:
            self._execution.asker.notice(
                Severity.WARNING, Sqlstate.WARNING, f"PID {pid} is not a PostgreSQL backend process"
            )
            return False
        self._require_signal(session.role, end=end)
        if end:
            session.end()
        else:
            session.cancel()
        return True

    def _require_signal(self, role: int, *, end: bool) -> None:
        state, word = self._execution.newest_catalog, "terminate process" if end else "cancel query"
        detail = None
        if is_superuser(state, role) and not is_superuser(state, self._execution.role):
            what = word.partition(" ")[0] + (" processes" if end else " queries")
            detail = f"Only roles with the SUPERUSER attribute may {what} of roles with the SUPERUSER attribute."
        elif not any(has_privileges_of(state, self._execution.role, other) for other in (role, SIGNAL_BACKEND)):
            named = 'the role whose process is being terminated or with privileges of the "pg_signal_backend" role'
            named = named if end else named.replace("process is being terminated", "query is being canceled")
            detail = f"Only roles with privileges of {named} may {word.replace(' query', ' this query')}."
            detail = detail.replace("terminate process", "terminate this process")
        if detail is not None:
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied to {word}", detail=detail)

    def reload_configuration(self) -> bool:
        """Does what pg_reload_conf() asks. Raises SqlError 42501 for who is no superuser."""
        self._execution.transaction.require_effects("pg_reload_conf()")
        if not is_superuser(self._execution.newest_catalog, self._execution.role):
            message = "permission denied for function pg_reload_conf"
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        self._execution.environment.reload()
        return True

    def reset_statistics(self, role: int, database: int, query: int) -> None:
        """Executes pg_stat_statements_reset(); 0 stands for all. Raises SqlError 42501 for a role without superuser."""
        self._execution.transaction.require_effects("pg_stat_statements_reset()")
        state = self._execution.newest_catalog
        if not is_superuser(state, self._execution.role):
            message = "permission denied for function pg_stat_statements_reset"
            raise SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
        named = state.databases.get(database)
        name = None if database == 0 else "" if named is None else named.name
        self._execution.environment.observed.statement_log.statistics.reset(role, name, query)

    def notify(self, channel: str, payload: str) -> None:
        """Executes pg_notify()."""
        self._execution.transaction.require_effects("pg_notify()")
        self._execution.transaction.notes.add(checked_note(channel, payload))

    def listening_channels(self) -> tuple[str, ...]:
        """Returns the channels of pg_listening_channels()."""
        session = self._execution.environment.clients.sessions.get(self._execution.asker.pid)
        return () if session is None else session.listening_channels

    def transaction_id(self) -> int:
        """Returns the transaction's number."""
        transaction = self._execution.transaction
        if transaction.number is None:
            transaction.number = self._execution.environment.numbers.next_transaction()
        return transaction.number

    def server_version(self) -> str:
        return VERSION_TEXT

    def started(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._execution.environment.observed.started_ms / 1000, datetime.UTC)

    def addresses(self) -> tuple[str, int | None, str, int | None]:
        """Returns the client's address and port, and the server's; nothing for who has no session."""
        session = self._execution.environment.clients.sessions.get(self._execution.asker.pid)
        if session is None:
            return "", None, "", None
        return session.startup.client_address, session.startup.client_port, *session.startup.server

    def stored_bytes(self, id: GlobalId) -> int:
        """Returns the bytes stored for a collection; 0 for an unknown collection."""
        return (
            self._execution.environment.storage.reads.stored_bytes(id)
            if self._execution.environment.storage.exists(id)
            else 0
        )

    @property
    def sequences(self) -> SequenceLookup:
        """Returns the newest sequences, as the session has used them."""
        return ExecutionSequences(self._execution)

    @property
    def locks(self) -> ExecutionLocks:
        """Returns the advisory locks, as the session takes them."""
        return ExecutionLocks(self._execution)

    async def call_large_object(self, function: str, arguments: tuple[Any, ...]) -> Any:
        """Executes a function of large objects."""
        return await self._execution.asker.call_large_object(self._execution, function, arguments)

    async def wait_for_lock(self, lock: AdvisoryLock) -> None:
        """Executes pg_advisory_lock()."""
        await self.locks.wait(lock)
