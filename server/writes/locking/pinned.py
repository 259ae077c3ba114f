"""Finds queries about a single row of a table, named by its key."""

from __future__ import annotations

from collections.abc import Sequence

from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.ir.relation import Relation
from planner.plans.locks import RowMode
from server.ledgers.locks import Resource
from server.ledgers.row_keys import RowKeys
from server.planning.access import Equal, IndexAccess, SaidColumn, linear_rows, said_columns
from server.transactions.execution import Execution


def stays_as_read(
    relation: Relation, rows: Sequence[Row], execution: Execution, access: IndexAccess | None = None
) -> GlobalId | None:
    """Returns the table if the relation reads one row by its key, `rows` is that row (the table's columns first), and
    nobody else can change the row: no write of another transaction can change the result. `access` is the index that
    finds the row, if any.
    """
    if not execution.transaction.locks.holder.rows_taken:
        return None
    found = _said_of(relation, access) if len(rows) == 1 else None
    item = None if found is None else execution.catalog.items.get(found[0])
    if found is None or item is None:
        return None
    keys = RowKeys(item, execution.catalog)
    pinned = {at for at, part in found[1] if len(part) == 1 and isinstance(part[0], Equal)}
    if not keys.keyed or not pinned.issuperset(keys.columns):
        return None
    locked = execution.transaction.locks.holder.holds(Resource(item.id, keys.of(rows[0])), RowMode.SHARE)
    return item.id if locked else None


def _said_of(relation: Relation, access: IndexAccess | None) -> tuple[GlobalId, tuple[SaidColumn, ...]] | None:
    """Returns the relation's single table, and the columns with known values."""
    if access is not None:
        return access.index.on, access.said
    rows = linear_rows(relation)
    return None if rows is None else (rows.get.id, said_columns(rows))
