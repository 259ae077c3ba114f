"""Adds a transaction's own writes to its reads.

Storage sums updates by their stored bytes, and own writes are summed alike: rows that are equal but written differently
(-0 and 0, '1 mon' and '30 days') are different rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import pyarrow as pa

from model.order.datum_order import key_function
from model.physical.columns import DIFF_COLUMN
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import TypeName
from model.updates.update import signed_rows
from planner.ir.relation import Constant
from storage.persist.state import Part

_OWN_ROWS_MAX = 10_000
"""Of a created collection's updates that are evaluated in memory."""
_FLOATS = frozenset((TypeName.FLOAT4, TypeName.FLOAT8))


def written_stream(updates: Sequence[pa.Table | Part]) -> bytes | None:
    """Returns the updates of a collection that are in memory as an Arrow stream; None where there are none."""
    tables = [signed(each) for each in updates if isinstance(each, pa.Table) and each.num_rows]
    if not tables:
        return None
    table = pa.concat_tables(tables)
    sink = pa.BufferOutputStream()
    with pa.RecordBatchStreamWriter(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def staged_parts(updates: Sequence[pa.Table | Part]) -> tuple[bytes, ...]:
    """Returns the parts among the updates, packed."""
    return tuple(msgspec.msgpack.encode(each) for each in updates if isinstance(each, Part))


def created_rows(updates: Sequence[pa.Table | Part], desc: RelationDesc) -> Constant | None:
    """Returns the contents of a collection created by the transaction; None where these are many."""
    tables = in_memory(updates)
    if tables is None or sum(table.num_rows for table in tables) > _OWN_ROWS_MAX:
        return None
    net = _accumulated(tables, desc)
    return Constant(tuple((row, count) for row, count in net if count > 0), desc)


def rows_after(rows: Sequence[Row], updates: Sequence[pa.Table], desc: RelationDesc) -> list[Row]:
    """Returns the rows after the updates, which retract only existing rows."""
    if not updates:
        return list(rows)
    return [row for row, count in _accumulated(updates, desc, rows) for _ in range(count)]


def _written_differently(desc: RelationDesc) -> bool:
    """Returns whether equal rows may be written differently."""
    return any(key_function(type_) is not None or type_.name in _FLOATS for type_ in desc.types)


def in_memory(updates: Sequence[pa.Table | Part]) -> list[pa.Table] | None:
    """Returns the updates; None where some lie in parts."""
    tables = [update for update in updates if isinstance(update, pa.Table)]
    return tables if len(tables) == len(updates) else None


def signed(table: pa.Table) -> pa.Table:
    """Adds the column `diff`."""
    if DIFF_COLUMN in table.column_names:
        return table
    return table.append_column(DIFF_COLUMN, pa.array([1] * table.num_rows, pa.int64()))


def _accumulated(tables: Sequence[pa.Table], desc: RelationDesc, rows: Sequence[Row] = ()) -> Iterable[tuple[Row, int]]:
    """Returns the rows and the updates' rows, each once, with multiplicities."""
    special = _written_differently(desc)
    net: dict[object, tuple[Row, int]] = {}
    for updates in ([(row, 1) for row in rows], *(signed_rows(table, desc) for table in tables)):
        for row, diff in updates:
            written: object = repr(row) if special else row
            known = net.get(written)
            net[written] = row, diff if known is None else known[1] + diff
    return net.values()
