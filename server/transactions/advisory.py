"""Advisory locks for one execution: planner.functions.system.lock_lookup.LockLookup; and how statements wait for
locks of all kinds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.functions.system.lock_lookup import AdvisoryKey, AdvisoryLock
from planner.plans.locks import TableMode
from server.ledgers.conflicts import Mode
from server.ledgers.locks import AdvisoryResource, AnyResource, Owner
from server.settings.durations import parse_duration_ms

if TYPE_CHECKING:
    from server.transactions.execution import Execution

_FUNCTIONS = "functions of advisory locks"


class ExecutionLocks:
    """The advisory locks of the session's database."""

    def __init__(self, execution: Execution) -> None:
        self._execution = execution

    def try_lock(self, lock: AdvisoryLock) -> bool:
        self._execution.transaction.require_effects(_FUNCTIONS)
        resource, owner = self._resource(lock.key), self._owner(lock)
        return self._execution.environment.locks.rows.take_now(owner, resource, _mode(lock.shared))

    def unlock(self, key: AdvisoryKey, shared: bool) -> bool:
        self._execution.transaction.require_effects(_FUNCTIONS)
        asker, mode = self._execution.asker, _mode(shared)
        if asker.locks.release_once(self._resource(key), mode):
            return True
        asker.notice(Severity.WARNING, Sqlstate.WARNING, f"you don't own a lock of type {mode.words}")
        return False

    def unlock_all(self) -> None:
        self._execution.transaction.require_effects(_FUNCTIONS)
        self._execution.asker.locks.release_all()

    def blocking(self, pid: int) -> tuple[int, ...]:
        session = self._execution.environment.clients.sessions.get(pid)
        return () if session is None else self._execution.environment.locks.rows.blocking(session.locks)

    async def wait(self, lock: AdvisoryLock) -> None:
        """Takes a lock, once it can be had. Raises SqlError 55P03 after lock_timeout, 40P01 for a wait in a circle."""
        if not self.try_lock(lock):
            await wait_for_lock(self._execution, self._owner(lock), self._resource(lock.key), _mode(lock.shared))

    def _owner(self, lock: AdvisoryLock) -> Owner:
        return self._execution.transaction.locks.holder if lock.transaction else self._execution.asker.locks

    def _resource(self, key: AdvisoryKey) -> AdvisoryResource:
        database = self._execution.catalog.database_named(self._execution.asker.database)
        return AdvisoryResource(0 if database is None else database.oid, key)


async def wait_for_lock(execution: Execution, owner: Owner, resource: AnyResource, mode: Mode) -> None:
    """Waits for a lock, which the owner then has. Raises SqlError 55P03 after lock_timeout, 40P01 for a wait in a
    circle."""
    await execution.transaction.locks.release_write_locks()
    limit_ms = parse_duration_ms("lock_timeout", execution.asker.setting("lock_timeout") or "0")
    try:
        async with asyncio.timeout(limit_ms / 1000 if limit_ms else None) as limit:
            await execution.environment.locks.rows.take(owner, resource, mode)
    except TimeoutError:
        if not limit.expired():
            raise
        message = "canceling statement due to lock timeout"
        raise SqlError(Sqlstate.LOCK_NOT_AVAILABLE, message) from None


def _mode(shared: bool) -> TableMode:
    return TableMode.SHARE if shared else TableMode.EXCLUSIVE
