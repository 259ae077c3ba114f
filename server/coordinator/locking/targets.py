"""What a statement writes to, as others' DDL changes it: PostgreSQL locks a table before it looks what its columns are.

Here statements are planned first, in the committed catalog, and take their locks then. A plan that was made while
somebody changed the table is made again. A statement that means nothing in the committed catalog may mean something in
the one that comes: it waits for who changes its table, and is then planned again.
"""

from __future__ import annotations

from collections.abc import Iterator

from catalog.lookup.targets import find_relation
from catalog.nouns.items import Item
from model.errors.sql_error import SqlError
from planner.plans.locks import TableMode, WaitPolicy
from planner.syntax.parse import ParsedStatement
from server.coordinator.execution import Execution
from server.coordinator.locking.locks import Resource
from server.coordinator.locking.waiting import take_lock


async def await_targets(failure: SqlError, statement: ParsedStatement, execution: Execution) -> None:
    """Waits for those who change a table that the statement writes to or changes, which can't be planned as the
    table is; SqlError `failure` when nobody does."""
    waited = False
    locks, transaction = execution.environment.row_locks, execution.transaction
    for item in _targets(statement, execution):
        place = len(transaction.locks.taken)
        resource = Resource(item.id)
        if not locks.take_now(transaction.locks, resource, TableMode.ROW_EXCLUSIVE):
            await take_lock(execution, resource, TableMode.ROW_EXCLUSIVE, WaitPolicy.WAIT, item.name)
            waited = True
        # The plan says which lock it takes: one that is held meanwhile would stand in the way of another who waits.
        transaction.locks.release_from(place)
    if not waited:
        raise failure


def _targets(statement: ParsedStatement, execution: Execution) -> Iterator[Item]:
    """Users' tables that the statement, or a part of its WITH, changes; what does not exist is for its plan to say."""
    for parts in statement.changed_tables():
        try:
            found = find_relation(execution.catalog, execution.ddl_session, parts)
        except SqlError:
            continue
        item = None if found is None else execution.catalog.items.get(found.id)
        if item is not None and item.id not in execution.transaction.created:
            yield item
