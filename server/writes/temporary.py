"""Ends temporary relations: at COMMIT, with their session, and at the start after a crash.

DELETE ROWS    a transaction's writes to the table are discarded at its COMMIT, and never stored
DROP           the transaction that creates the table drops it at its COMMIT
"""

from __future__ import annotations

import structlog

from catalog.changes.apply import apply
from catalog.changes.change import CreateItem, DropItems
from catalog.changes.temporary import drop_all, drop_schema
from catalog.facts.temporary_items import on_commit
from model.errors.sql_error import SqlError
from planner.catalog_view import OnCommit
from server.environment.environment import Environment
from server.transactions.transaction import Transaction
from server.writes.committing import commit_changes
from server.writes.writing import forget_writes

_LOG = structlog.get_logger()


def settle_tables(environment: Environment, transaction: Transaction) -> None:
    """Carries out ON COMMIT in a session's transaction that is about to commit; writes to tables dropped since are
    discarded."""
    catalog = transaction.changes.catalog or environment.catalog.state
    made = [change.id for change in transaction.changes.buffered if isinstance(change, CreateItem)]
    ending = tuple(id_ for id_ in made if on_commit(catalog, id_) is OnCommit.DROP)
    if ending:
        drop = DropItems(ending, cascade=True)
        catalog = apply(catalog, (drop,))
        transaction.changes.add(environment.catalog.state, catalog, (drop,), None)
    written = transaction.writes.ids() | {write.id for write in transaction.writes.scheduled}
    emptied = {id_ for id_ in written if on_commit(catalog, id_) is OnCommit.DELETE_ROWS}
    dropped = set() if transaction.changes.catalog is None else {id_ for id_ in written if id_ not in catalog.items}
    forget_writes(environment, transaction, emptied | dropped)


async def end_temporary_relations(environment: Environment, schema: str) -> None:
    """Drops a session's temporary schema; after a failure, the next start does."""
    changes = drop_schema(environment.catalog.state, schema)
    if changes:
        try:
            await commit_changes(environment, changes)
        except SqlError as error:
            _LOG.warning("temporary relations are left for the next start", schema=schema, reason=error.message)


async def drop_leftovers(environment: Environment) -> None:
    """Drops temporary relations left by sessions of an earlier environment."""
    changes = drop_all(environment.catalog.state)
    if changes:
        await commit_changes(environment, changes)
