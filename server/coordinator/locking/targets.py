"""What a statement writes to, as others' DDL changes it: PostgreSQL locks a table before it looks what its columns are.

Here statements are planned first, in the committed catalog, and take their locks then. A plan that was made while
somebody changed the table is made again. A statement that means nothing in the committed catalog may mean something in
the one that comes: it waits for who changes its table, and is then planned again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from catalog.items import Item
from catalog.targets import find_relation
from model.errors import SqlError
from planner.plans.locks import TableMode, WaitPolicy
from planner.syntax.parse import ParsedStatement, modifies
from server.coordinator.execution import Execution
from server.coordinator.locking.locks import Resource
from server.coordinator.locking.waiting import take_lock

_TARGETED = ("insert_stmt", "update_stmt", "delete_stmt", "copy_stmt", "alter_table_stmt", "rename_stmt", "index_stmt")
_WITH = (*_TARGETED[:3], "select_stmt")


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
    for relation in _relations(statement.kind, statement.node):
        parts = tuple(part for part in (relation.catalogname, relation.schemaname, relation.relname) if part)
        try:
            found = find_relation(execution.catalog, execution.ddl_session, parts)
        except SqlError:
            continue
        item = None if found is None else execution.catalog.items.get(found.id)
        if item is not None and item.id not in execution.transaction.created:
            yield item


def _relations(kind: str, node: Any) -> Iterator[Any]:
    reads = kind == "copy_stmt" and not node.is_from
    if kind in _TARGETED and not reads and node.HasField("relation"):
        yield node.relation
    if kind in _WITH:
        for table in filter(modifies, node.with_clause.ctes):
            query = table.common_table_expr.ctequery
            inner = query.WhichOneof("node")
            yield from _relations(inner, getattr(query, inner))
