"""Tells what an open transaction would change: by table, how many rows are added and taken, and the first of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from catalog.nouns.items import Item
from catalog.state.catalog_state import CatalogState
from model.physical.columns import DIFF_COLUMN
from model.text.context import TextContext
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.updates.update import signed_rows
from server.api.json_values import JsonRows
from server.transactions.permissions import may_read_rows
from server.transactions.transaction import Transaction
from storage.persist.state import Part

_ROWS_READ_MAX, _VALUES_READ_MAX, _BYTES_READ_MAX = 5_000, 250_000, 2 << 20
"""Changes beyond, of all tables together, are not told by rows: summing them would hold up others."""
_ROWS_AT_ONCE = 100
"""Others have their turn between."""


@dataclass(frozen=True, slots=True)
class _Written:
    """A table's updates. `name` is its full one; `readable`: the role may read all columns of all of its rows."""

    name: str
    item: Item
    readable: bool
    updates: Sequence[pa.Table | Part]


async def told_changes(
    transaction: Transaction, newest: CatalogState, role: int, context: TextContext, rows_max: int, bytes_max: int
) -> list[dict[str, Any]]:
    """Returns the changes by table, in order of the tables' ids; `rows_max` and `bytes_max` are for all of them.

    Of tables whose rows the role may not all read by the `newest` catalog, only their numbers are told."""
    written: list[_Written] = []
    for id_ in sorted(transaction.writes.ids()):
        state = transaction.changes.catalog or transaction.writes.written_in.get(id_, newest)
        if id_ not in state.items:
            continue
        item, today = state.items[id_], newest.items.get(id_)
        readable = today is not None and may_read_rows(newest, role, today)
        name = state.full_name(item)
        told = f"{name.database}.{name.schema}.{name.name}"
        written.append(_Written(told, item, readable, transaction.writes.of(id_)))
    return await asyncio.to_thread(_Telling(context, rows_max, bytes_max).changes, written)


class _Telling:
    """Tells the changes of one call, within limits for all of its tables."""

    def __init__(self, context: TextContext, rows_max: int, bytes_max: int) -> None:
        self._context = context
        self._rows_left, self._bytes_left = rows_max, bytes_max
        self._read_left = [_ROWS_READ_MAX, _VALUES_READ_MAX, _BYTES_READ_MAX]

    def changes(self, written: Sequence[_Written]) -> list[dict[str, Any]]:
        """Returns what is told of each table."""
        return [{"table": each.name} | self._changes_of(each) for each in written]

    def _changes_of(self, written: _Written) -> dict[str, Any]:
        tables = [each for each in written.updates if isinstance(each, pa.Table)]
        if len(tables) < len(written.updates):
            return {"too_many": True}
        if not written.readable:
            # Sums of equal rows would tell of values: which rows an UPDATE has left as they were.
            diffs = [diff for table in tables for diff in _diffs(table)]
            return _counts(diffs) | {"withheld": True}
        sizes = [sum(each) for each in zip((0, 0, 0), *map(_sizes, tables), strict=True)]
        if any(size > left for size, left in zip(sizes, self._read_left, strict=True)):
            return {"too_many": True}
        self._read_left = [left - size for size, left in zip(sizes, self._read_left, strict=True)]
        net = [(row, diff) for row, diff in _net(tables, written.item.desc).values() if diff]
        kept = self._kept(net, written.item.desc)
        counts = _counts([diff for _, diff in net])
        columns = list(written.item.desc.names)
        return {"columns": columns} | counts | {"rows": kept, "truncated": len(kept) < len(net)}

    def _kept(self, net: Sequence[tuple[Row, int]], desc: RelationDesc) -> list[dict[str, Any]]:
        """Returns the first rows, as many as there is room for."""
        maker = JsonRows(desc, self._context)
        kept: list[dict[str, Any]] = []
        for row, diff in net[: self._rows_left]:
            (encoded,) = maker.encode_each((row,))
            if len(encoded) > self._bytes_left:
                break
            self._bytes_left -= len(encoded)
            kept.append({"diff": diff, "row": msgspec.Raw(encoded)})
        self._rows_left -= len(kept)
        return kept


def _counts(diffs: Sequence[int]) -> dict[str, Any]:
    return {"inserted": sum(diff for diff in diffs if diff > 0), "deleted": -sum(diff for diff in diffs if diff < 0)}


def _diffs(table: pa.Table) -> tuple[int, int]:
    """Returns the number of added rows, and the number of retracted rows, 0 or negative."""
    if DIFF_COLUMN not in table.column_names:
        return int(table.num_rows), 0
    diffs = table.column(DIFF_COLUMN)
    added, all_ = pc.sum(pc.max_element_wise(diffs, 0)).as_py() or 0, pc.sum(diffs).as_py() or 0
    return added, all_ - added


def _sizes(table: pa.Table) -> tuple[int, int, int]:
    """Returns the numbers of rows, of values and of bytes."""
    return table.num_rows, sum(_values(chunk) for column in table.columns for chunk in column.chunks), table.nbytes


def _values(array: pa.Array) -> int:
    """Counts an array's values, nested values included: small values may be many in few bytes."""
    count = len(array)
    if pa.types.is_struct(array.type):
        return count + sum(map(_values, array.flatten()))
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type) or pa.types.is_map(array.type):
        return count + _values(array.values)
    return count


def _net(tables: Sequence[pa.Table], desc: RelationDesc) -> dict[str, tuple[Row, int]]:
    """Sums the updates of equal rows, as rows are written."""
    net: dict[str, tuple[Row, int]] = {}
    for table in tables:
        for start in range(0, table.num_rows, _ROWS_AT_ONCE):
            # A table that is not cut may have its rows remembered.
            part = table if table.num_rows <= _ROWS_AT_ONCE else table.slice(start, _ROWS_AT_ONCE)
            for row, diff in signed_rows(part, desc):
                written = repr(row)
                _, known = net.get(written, (row, 0))
                net[written] = row, known + diff
    return net
