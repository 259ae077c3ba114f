"""The tables that a statement writes to, while others' DDL changes them: PostgreSQL locks a table before reading its
columns.

Here statements are planned first, in the committed catalog, and take their locks afterwards. A plan made during a
change of its table is made again. A statement that fails in the committed catalog may succeed in the next: it waits for
the transaction that changes its table, and is planned again.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.lookup.targets import find_relation
from catalog.nouns.items import Item
from model.errors.sql_error import SqlError
from planner.plans.locks import TableMode, WaitPolicy
from planner.syntax.parse import ParsedStatement
from server.ledgers.locks import Resource
from server.transactions.execution import Execution
from server.writes.locking.waiting import take_lock


async def await_targets(failure: SqlError, statement: ParsedStatement, execution: Execution) -> None:
    """Waits for transactions that change a table the statement writes to; raises SqlError `failure` without any."""
    waited = False
    locks, transaction = execution.environment.locks.rows, execution.transaction
    for item in _targets(statement, execution):
        place = len(transaction.locks.holder.taken)
        resource = Resource(item.id)
        if not locks.take_now(transaction.locks.holder, resource, TableMode.ROW_EXCLUSIVE):
            await take_lock(execution, resource, TableMode.ROW_EXCLUSIVE, WaitPolicy.WAIT, item.name)
            waited = True
        # The plan says which lock it takes: one that is held meanwhile would stand in the way of another who waits.
        transaction.locks.holder.release_from(place)
    if not waited:
        raise failure


def _targets(statement: ParsedStatement, execution: Execution) -> Iterator[Item]:
    """Yields users' tables that the statement, or a part of its WITH, changes; missing tables are the plan's
    concern."""
    for parts in statement.changed_tables():
        try:
            found = find_relation(execution.catalog, execution.ddl_session, parts)
        except SqlError:
            continue
        item = None if found is None else execution.catalog.items.get(found.id)
        if item is not None and item.id not in execution.transaction.changes.created:
            yield item
