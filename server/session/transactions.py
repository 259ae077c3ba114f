"""The transactions of one session, one after the other: begun on demand, committed, rolled back."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable

from catalog.lookup.object_names import NamedObjects
from catalog.state.catalog_state import CatalogState
from planner.syntax.parse import ParsedStatement
from server.cursors.holdings import Holdings
from server.environment.environment import Environment
from server.ledgers.notifications import Listener
from server.pgwire.backend import (
    ResultDescription,
    StartupParameters,
    TransactionStatus,
)
from server.session.asking import SessionAsker
from server.session.interruption import Interruption
from server.settings.settings import Settings
from server.transactions.execution import Execution
from server.transactions.transaction import Transaction, failed_transaction
from server.transactions.transaction_locks import TransactionLocks
from server.writes.constraints.deferred_checks import hold_deferred
from server.writes.locking.written import commit_with_locks
from server.writes.writing import discard
from timeline.waiting import LockOwner


def now_of(environment: Environment) -> datetime.datetime:
    """Returns the time of the environment's clock, in UTC."""
    return datetime.datetime.fromtimestamp(environment.clock.now_ms() / 1000, datetime.UTC)


class SessionTransactions:
    """The session's current transaction, if there is one, and how it begins and ends.

    `current`: the transaction; an implicit one begins with the first statement that needs one.
    """

    current: Transaction | None

    def __init__(
        self,
        environment: Environment,
        startup: StartupParameters,
        asker: SessionAsker,
        variables: Settings,
        holdings: Holdings,
        interruption: Interruption,
        listener: Listener,
    ) -> None:
        self._environment = environment
        self._startup = startup
        self._asker = asker
        self._variables = variables
        self._holdings = holdings
        self._interruption = interruption
        self._listener = listener
        self.current = None

    @property
    def status(self) -> TransactionStatus:
        """Returns the status that the wire tells: idle, within a transaction, or within a failed one."""
        if self.current is None or not self.current.explicit:
            return "I"
        return "E" if self.current.failed else "T"

    def catalog(self) -> CatalogState:
        """Returns the catalog, with the transaction's own changes."""
        local = None if self.current is None else self.current.changes.catalog
        return local or self._environment.catalog.state

    def ensure(self) -> Transaction:
        """Returns the current transaction; begins an implicit one when there is none."""
        if self.current is None:
            self.current = Transaction(
                explicit=False,
                started=now_of(self._environment),
                read_only=self._startup.reads_only or self._variables.get("default_transaction_read_only") == "on",
                effectless=self._startup.effectless,
                isolation=self._variables.get("default_transaction_isolation"),
                deferrable=self._variables.get("default_transaction_deferrable") == "on",
                locks=TransactionLocks(self._asker.locks.transaction(), LockOwner(self._asker.pid)),
            )
        return self.current

    async def commit(self, otherwise: Callable[[Execution], Awaitable[None]] | None = None) -> None:
        """Commits the transaction, or ends it `otherwise`; raises SqlError when that fails, after rolling back."""
        transaction = self.current
        if transaction is None:
            return
        try:
            if transaction.writes.objects.changed:
                execution = Execution(self._environment, self._asker, transaction)
                await self._interruption.run(self._asker.settle_large_objects(execution))
            if transaction.deferred.waiting:
                execution = Execution(self._environment, self._asker, transaction)
                await self._interruption.run(hold_deferred(execution, at_commit=True))
            if self._holdings.holding:
                await self._interruption.run(self._holdings.read_held())
            if transaction.writing or otherwise is not None:
                end, execution = otherwise or commit_with_locks, Execution(self._environment, self._asker, transaction)
                await self._interruption.run(end(execution))
        except BaseException:
            await self.roll_back()
            raise
        await self._close(transaction, committed=True)
        await self._environment.clients.listeners.publish(self._asker.pid, self._listener, transaction.notes)

    async def roll_back(self) -> None:
        """Ends the transaction without a trace."""
        transaction = self.current
        if transaction is None:
            return
        self._variables.undo(transaction.undo[::-1])
        discard(self._environment, transaction)
        await self._close(transaction, committed=False)

    async def roll_back_to(self, savepoint: str) -> None:
        """Goes back to a savepoint. Parts staged since may be collected, cursors opened since are closed."""
        variables, cursors, staged = self.ensure().rollback_to(savepoint)
        self._environment.storage.stage.settle(staged)
        self._variables.undo(variables)
        for name in self._holdings.open_names - cursors:
            await self._holdings.close_portal(name)

    async def _close(self, transaction: Transaction, *, committed: bool) -> None:
        self._variables.end_transaction()
        self.current = None
        try:
            await self._holdings.end_transaction(committed=committed)
        finally:
            # Nobody else knows the transaction any more: the client may have gone while a cursor was closed.
            await transaction.release_resources()

    async def end_implicit(self) -> None:
        """Commits the transaction if it is an implicit one."""
        if self.current is not None and not self.current.explicit:
            await self.commit()

    def require_usable(self, statement: ParsedStatement) -> None:
        """Raises SqlError 25P02 in a failed transaction, except for a statement that ends it."""
        if statement.kind != "transaction_stmt":
            self.require_unfailed()

    def require_unfailed(self) -> None:
        """Raises SqlError 25P02 in a failed transaction."""
        if self.current is not None and self.current.failed:
            raise failed_transaction()

    def require_describable(self, rows: ResultDescription | None) -> None:
        """Raises SqlError 25P02 for the description of a query's rows in a failed transaction. PostgreSQL does, too,
        because it can't read its catalog in a failed transaction."""
        if rows is not None and self.current is not None and self.current.failed:
            raise failed_transaction()

    def names(self) -> NamedObjects:
        """Returns names of objects, as the transaction sees them."""
        execution = Execution(self._environment, self._asker, self.ensure())
        return execution.catalog_lookup(execution.catalog).names
