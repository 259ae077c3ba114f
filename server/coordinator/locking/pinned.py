"""Whether a query can only be about one row of a table, which its key names."""

from __future__ import annotations

from collections.abc import Sequence

from model.datum import Row
from model.global_id import GlobalId
from planner.ir.relation import Relation
from planner.ir.scalar import Column
from planner.plans.locks import RowMode
from server.coordinator.execution import Execution
from server.coordinator.locking.locks import Resource
from server.coordinator.locking.row_keys import RowKeys
from server.coordinator.maintained.access import Equal, key_part, linear_rows


def pinned_table(relation: Relation, execution: Execution) -> GlobalId | None:
    """The table of which the relation reads no more than the row that has a given key."""
    rows = linear_rows(relation)
    item = None if rows is None else execution.catalog.items.get(rows.get.id)
    if rows is None or item is None:
        return None
    keys = RowKeys(item, execution.catalog)
    if not keys.keyed:
        return None

    def pinned(at: int) -> bool:
        part = Column(at, item.desc.types[at])
        found = (key_part(part, condition) for condition in rows.conditions)
        return any(each is not None and len(each) == 1 and isinstance(each[0], Equal) for each in found)

    return item.id if all(map(pinned, keys.columns)) else None


def stays_as_read(relation: Relation, rows: Sequence[Row], execution: Execution) -> GlobalId | None:
    """The table, where the relation reads one row of one table, by its key, and that is `rows`, whose first columns are
    the table's, and others can't change it: then nothing that they write can change what was read."""
    table = pinned_table(relation, execution) if len(rows) == 1 else None
    if table is None:
        return None
    item = execution.catalog.items[table]
    key = RowKeys(item, execution.catalog).of(rows[0])
    return table if execution.transaction.locks.holds(Resource(table, key), RowMode.SHARE) else None
