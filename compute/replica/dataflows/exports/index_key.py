"""Keys of indexes: stand-ins for datums whose bytes are equal exactly when SQL calls the datums equal, and their hash.

Rows and the literals of a lookup arrive in the same Arrow types, and are treated alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.layout import HASH_COLUMN, key_name
from model.errors.sql_error import SqlError
from model.json.json_order import jsonb_order_bytes
from model.order.datum_order import sort_key
from model.physical.columns import arrow_type, column_from_arrow, column_to_arrow
from model.physical.wide_times import LAST_MICROS
from model.search.queries import key_of_query
from model.types.datum import Row
from model.types.range_types import ranged
from model.types.scalar_type import ScalarType, TypeName
from model.types.wide_time import WideMoment, infinite
from planner.functions.numbers.decimals import with_decimals
from storage.persist.row_hash import layered_hash

PLACE_COLUMN = "place"
"""Where in the list of keys that are looked up a key, or a row's key, stands (int64)."""

_TOLD_APART = frozenset(
    {
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.TEXT,
        TypeName.UUID,
        TypeName.DATE,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
    }
)
"""Types whose datums are equal where SQL says so, and nowhere else."""


def key_type(type_: ScalarType) -> pa.DataType:
    """Returns the Arrow type of the stand-ins for datums of `type_`."""
    match type_.name:
        case TypeName.JSONB:
            return pa.binary()
        case TypeName.INTERVAL | TypeName.ARRAY | TypeName.RECORD | TypeName.LIST | TypeName.MAP:
            return pa.string()
        case _ if ranged(type_):
            return pa.string()
        case _:
            return arrow_type(type_)


def stand_in(column: pa.Array, type_: ScalarType) -> pa.Array:
    """Returns a column equal, and NULL, where the datums are: all NaNs are one value, and all zeros."""
    match type_.name:
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            nan = pa.scalar(float("nan"), column.type)
            return pc.if_else(pc.is_nan(column), nan, pc.add(column, pa.scalar(0, column.type)))
        case TypeName.BPCHAR:
            return pc.utf8_rtrim(column, " ")
        case TypeName.JSONB:
            return _each(column, column.to_pylist(), jsonb_order_bytes, type_)
        case TypeName.WIDE:
            return pc.binary_slice(column, 0, -2)
        case TypeName.TSQUERY:
            return _each(column, column.to_pylist(), key_of_query, type_)
        case TypeName.INTERVAL | TypeName.ARRAY | TypeName.RECORD | TypeName.LIST | TypeName.MAP:
            return _written(column, type_)
        case _ if ranged(type_):
            return _written(column, type_)
        case _:
            return column


def _written(column: pa.Array, type_: ScalarType) -> pa.Array:
    key = sort_key(type_)
    return _each(column, column_from_arrow(column, type_), lambda value: repr(_unsigned(key(value))), type_)


def keyed(columns: Sequence[pa.Array], types: Sequence[ScalarType], count: int) -> list[pa.Array]:
    """Returns the hash `h` and the stand-ins `k0`… of `count` keys, or of the beginnings of keys; `types` are those of
    the whole key."""
    stand_ins = [stand_in(column, type_) for column, type_ in zip(columns, types)]
    return [pa.array(layered_hash(stand_ins, count, len(types))), *stand_ins]


def probes(keys: Sequence[Row], types: Sequence[ScalarType]) -> pa.Table:
    """Makes the table of keys to look up: the hash `h`, the key's columns `k0`…, and the key's place in `keys`
    (PLACE_COLUMN).

    Keys that no row can have are left out, and equal keys stand once. All keys are whole keys, or all are equally long
    beginnings of whole keys.
    """
    parts = min((len(row) for row in keys), default=len(types))
    first: dict[Row, int] = {}
    for place, row in enumerate(keys):
        if all(map(_held, row, types)):
            first.setdefault(row, place)
    columns = [column_to_arrow([row[i] for row in first], types[i]) for i in range(parts)]
    names = [HASH_COLUMN, *(key_name(i) for i in range(parts)), PLACE_COLUMN]
    found = pa.table([*keyed(columns, types, len(first)), pa.array(first.values(), pa.int64())], names=names)
    told_apart = all(type_.name in _TOLD_APART for type_ in types[:parts])
    return found if told_apart or len(first) == 1 else _distinct(found)


def _distinct(probes: pa.Table) -> pa.Table:
    """Returns each key once, with its first place: different datums may be one key, like 1 and 1.0 in jsonb."""
    *key, place = probes.column_names
    grouped = probes.group_by(key, use_threads=False).aggregate([(place, "min")])
    return grouped.select([*key, f"{place}_min"]).rename_columns(probes.column_names)


def _held(datum: Any, type_: ScalarType) -> bool:
    """Returns whether a column of the type can hold the datum unchanged: fewer digits would make another number, and
    the last of PostgreSQL's years have none."""
    if isinstance(datum, WideMoment):
        return infinite(datum) or datum.count <= LAST_MICROS
    if not isinstance(datum, Decimal) or type_.name is not TypeName.NUMERIC:
        return True
    try:
        (kept,) = column_from_arrow(column_to_arrow([datum], type_), type_)
    except (pa.ArrowInvalid, SqlError):
        return False
    return kept == datum


def _each(column: pa.Array, values: list[Any], make: Callable[[Any], Any], type_: ScalarType) -> pa.Array:
    return pa.array([None if value is None else make(value) for value in values], key_type(type_))


def _unsigned(key: Any) -> Any:
    """Returns the key with a single zero, because the texts of zeros differ, and numerics with the fewest decimals."""
    match key:
        case tuple():
            return tuple(map(_unsigned, key))
        case float():
            return key + 0.0
        case Decimal() if key.is_finite():
            return with_decimals(key, 0)
        case _:
            return key
