"""Whether a query can only be about one row of a table, which its key names."""

from __future__ import annotations

from collections.abc import Sequence

from model.datum import Row
from model.global_id import GlobalId
from planner.ir.relation import Relation
from planner.plans.locks import RowMode
from server.coordinator.execution import Execution
from server.coordinator.locking.locks import Resource
from server.coordinator.locking.row_keys import RowKeys
from server.coordinator.maintained.access import Equal, IndexAccess, linear_rows, said_columns


def pinned_table(relation: Relation, execution: Execution, access: IndexAccess | None = None) -> GlobalId | None:
    """The table of which the relation reads no more than the row that has a given key; `access` is the index that finds
    its rows, where one does."""
    if access is not None:
        table, said = access.index.on, access.said
    else:
        rows = linear_rows(relation)
        if rows is None:
            return None
        table, said = rows.get.id, said_columns(rows)
    item = execution.catalog.items.get(table)
    if item is None:
        return None
    keys = RowKeys(item, execution.catalog)
    pinned = {at for at, part in said if len(part) == 1 and isinstance(part[0], Equal)}
    return item.id if keys.keyed and pinned.issuperset(keys.columns) else None


def stays_as_read(
    relation: Relation, rows: Sequence[Row], execution: Execution, access: IndexAccess | None = None
) -> GlobalId | None:
    """The table, where the relation reads one row of one table, by its key, and that is `rows`, whose first columns are
    the table's, and others can't change it: then nothing that they write can change what was read."""
    table = pinned_table(relation, execution, access) if len(rows) == 1 else None
    if table is None:
        return None
    item = execution.catalog.items[table]
    key = RowKeys(item, execution.catalog).of(rows[0])
    return table if execution.transaction.locks.holds(Resource(table, key), RowMode.SHARE) else None
