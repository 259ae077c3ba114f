"""How datums lie in Arrow, Parquet and Spark: one physical type for each SQL type.

Columns are named by position (`c0`, `c1`, …), never by the user's names: Spark's names are case-insensitive.
A table of updates carries two more columns, `time` and `diff`, both int64.

    date       date32, timestamp[us] for moments; their ends are the infinities (model.physical.wide_times)
    time       int64 microseconds since midnight        interval   struct<months int32, days int32, microseconds int64>
    timetz     int64: its two numbers packed, so that these sort as the values do
    uuid       string (lower case, so that strings sort as uuids do)
    inet, cidr binary: version, network, prefix, address, so that bytes sort as the values do
    bit, varbit string of 0 and 1
    tsvector, tsquery binary (model.search.vectors, model.search.queries): bytes that sort, or hold a key that does
    numeric    decimal128(p, s); without modifier decimal128(38, 18); of more than 38 digits binary
               (model.physical.wide_numerics), which is a type of its own to everything but users
    oid, reg*, xid, tid, mz_timestamp                         int64
    uint2 int32, uint4 int64, uint8 decimal128(20, 0)
    enums      float64 (the label's position)
    arrays     struct<items list, shape binary> (model.physical.arrays)
    lists      list; of lists, too. Maps are lists of struct<key string, value>, by key (model.physical.maps)
    int2vector, oidvector                                lists
    ranges     a struct that sorts as they do (model.physical.ranges); multiranges are lists of them
"""

from __future__ import annotations

import datetime
import decimal
import functools
import sys
import uuid
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from itertools import accumulate
from types import ModuleType
from typing import Any

import pyarrow as pa

from model.physical.arrays import array_decoder, array_encoder, array_struct, arrays_from_arrow, arrays_to_arrow
from model.physical.maps import map_decoder, map_encoder, map_list
from model.physical.ranges import range_decoder, range_encoder, range_struct
from model.physical.wide_numerics import decode_wide, encode_wide
from model.physical.wide_times import (
    counted,
    date_number,
    moment_number,
    numbered_date,
    numbered_moment,
    numbered_zoned_moment,
)
from model.text.numerics import DECIMALS, DIGITS_MAX, EXACT, unheld, unstorable
from model.types.datum import ADDRESS_BITS, Datum, Inet, Interval, Row, TimeTz
from model.types.decimals_columns import told_decimals
from model.types.range_types import MULTIRANGE_NAMES, RANGE_NAMES, range_in, ranged, subtype_of
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName, has_own_decimals, precision_and_scale, shown_scale
from model.types.time_of_day import time_from_micros, time_to_micros
from model.types.type_table import TYPES

NUMERIC_PRECISION_MAX = DIGITS_MAX
NUMERIC_SCALE_DEFAULT = DECIMALS
TIME_COLUMN = "time"
DIFF_COLUMN = "diff"
_OFFSET_BITS = 18
_OFFSET_BIAS = 1 << 17

_STRINGS = (pa.string(), pa.binary())
_FEW_BYTES = 4096
_FEW = 16
_LARGE = range(1 << 22, 1 << 29)
"""Characters of a few strings that Arrow would copy while others wait, and that its offsets can count in bytes."""
_SIMPLE = {name: held for name in TypeName if (held := TYPES[name].held) is not None}


class WithoutPandas(MetaPathFinder):
    """Hides pandas from imports. pyarrow imports it, where it is installed, at the first array, which costs a second
    and 60 MiB per process; neither this code nor the parts of PySpark in use need it."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("Headwater's processes have no pandas", name=fullname)


# Whoever makes arrays of ours comes by here first.
sys.meta_path.insert(0, WithoutPandas())


def column_name(index: int) -> str:
    """Returns the physical name of the column at `index`, from 0."""
    return f"c{index}"


def decimal_bounds(type_: ScalarType) -> tuple[int, int]:
    """Returns the precision and scale with which a numeric is stored."""
    bounds = precision_and_scale(type_)
    if bounds is None:
        return NUMERIC_PRECISION_MAX, NUMERIC_SCALE_DEFAULT
    precision, scale = bounds
    # numeric(2,-3) has zeros before the point, numeric(3,5) behind it.
    return (precision - scale, 0) if scale < 0 else (max(precision, scale), scale)


def has_physical_form(type_: ScalarType) -> bool:
    """Tells whether a collection can hold a type."""
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        return has_physical_form(type_.element)
    if type_.name is TypeName.RECORD:
        return all(has_physical_form(field) for _, field in type_.fields)
    if type_.member is not None:
        return has_physical_form(type_.member)
    return type_.name is TypeName.NUMERIC or ranged(type_) or type_.name in _SIMPLE


def arrow_type(type_: ScalarType) -> pa.DataType:
    """Returns the Arrow type that holds `type_`; raises AssertionError for a type that no collection can hold."""
    if type_.name is TypeName.NUMERIC:
        return pa.decimal128(*decimal_bounds(type_))
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        return array_struct(arrow_type(type_.element))
    if type_.name is TypeName.RECORD:
        return pa.struct([(f"f{i}", arrow_type(t)) for i, (_, t) in enumerate(type_.fields)])
    if type_.member is not None:
        member = arrow_type(type_.member)
        return map_list(member) if type_.name is TypeName.MAP else pa.list_(member)
    if type_.name in RANGE_NAMES:
        return range_struct(arrow_type(subtype_of(type_)))
    if type_.name in MULTIRANGE_NAMES:
        return pa.list_(arrow_type(range_in(type_)))
    assert type_.name in _SIMPLE, f"{type_} has no physical form"
    return _SIMPLE[type_.name]


def arrow_schema(desc: RelationDesc) -> pa.Schema:
    """Returns the schema of rows of `desc`, without time and diff."""
    return pa.schema([(column_name(i), arrow_type(t)) for i, t in enumerate(desc.types)])


def updates_schema(desc: RelationDesc) -> pa.Schema:
    """Returns the schema of a table of updates: the row's columns, then `time` and `diff`."""
    return arrow_schema(desc).append(pa.field(TIME_COLUMN, pa.int64())).append(pa.field(DIFF_COLUMN, pa.int64()))


def pack_timetz(value: TimeTz) -> int:
    """Packs a timetz: microseconds in the upper bits, the offset (less than a day) in the lower ones."""
    return (value.utc << _OFFSET_BITS) + value.west + _OFFSET_BIAS


def _unpack_timetz(packed: int) -> TimeTz:
    utc, biased = divmod(packed, 1 << _OFFSET_BITS)
    return TimeTz(utc, biased - _OFFSET_BIAS)


def pack_inet(value: Inet) -> bytes:
    """Packs an inet, with numbers' highest bytes first."""
    length = ADDRESS_BITS[value.version] // 8
    network, address = (number.to_bytes(length, "big") for number in (value.network, value.address))
    return bytes((value.version,)) + network + bytes((value.prefix,)) + address


def _unpack_inet(packed: bytes) -> Inet:
    end = 1 + ADDRESS_BITS[packed[0]] // 8
    network, address = (int.from_bytes(part, "big") for part in (packed[1:end], packed[end + 1 :]))
    return Inet(packed[0], network, packed[end], address)


def _to_numeric(precision: int, scale: int) -> Callable[[decimal.Decimal], decimal.Decimal]:
    quantum = decimal.Decimal(1).scaleb(-scale)
    # What has more digits than that when it is quantized is an invalid operation.
    context = decimal.Context(prec=precision, traps=[decimal.Inexact, decimal.InvalidOperation])

    def encode(value: decimal.Decimal) -> decimal.Decimal:
        if not value.is_finite():
            raise unheld(value)
        try:
            return value.quantize(quantum, context=context)
        except (decimal.Inexact, decimal.InvalidOperation):
            raise unstorable() from None

    return encode


def _from_numeric(scale: int) -> Callable[[decimal.Decimal], decimal.Decimal]:
    """Returns the function from a decimal as collections hold numerics without a modifier to one that shows `scale`
    decimals, or as many as it needs where these are more."""
    quantum = decimal.Decimal(1).scaleb(-scale)

    def decode(value: decimal.Decimal) -> decimal.Decimal:
        shown = value.quantize(quantum, decimal.ROUND_DOWN, EXACT)
        return shown if shown == value else value.normalize(EXACT)

    return decode


_showing = functools.cache(_from_numeric)


def with_told_decimals(column: pa.ChunkedArray | pa.Array, decimals: Sequence[Datum]) -> list[Datum]:
    """Returns the datums of a column of numerics, each shown with the decimals told beside the value."""
    return [
        None if value is None else _showing(told if isinstance(told, int) else 0)(value)
        for value, told in zip(column.to_pylist(), decimals, strict=True)
    ]


def _encoder(type_: ScalarType, wide: bool = False) -> Callable[[Any], Any] | None:
    """Returns the function from a datum to pyarrow's value; None when they are the same. Dates and moments beyond
    Python's calendar are taken where `wide`."""
    match type_.name:
        case TypeName.TIME:
            return time_to_micros
        case TypeName.DATE if wide:
            return date_number
        case TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ if wide:
            return moment_number
        case TypeName.TIMETZ:
            return pack_timetz
        case TypeName.INET | TypeName.CIDR:
            return pack_inet
        case TypeName.UINT8:
            return decimal.Decimal
        case TypeName.INTERVAL:
            return lambda v: {"months": v.months, "days": v.days, "microseconds": v.microseconds}
        case TypeName.UUID:
            return str
        case TypeName.WIDE:
            return encode_wide
        case TypeName.NUMERIC:
            return _to_numeric(*decimal_bounds(type_))
        case TypeName.ARRAY:
            assert type_.element is not None
            return array_encoder(_encoder(type_.element, wide))
        case TypeName.LIST:
            assert type_.member is not None
            return _list_encoder(_encoder(type_.member, wide))
        case TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            return list
        case TypeName.MAP:
            assert type_.member is not None
            return map_encoder(_encoder(type_.member, wide))
        case TypeName.RECORD:
            inners = [_encoder(t, wide) for _, t in type_.fields]
            return lambda v: {
                f"f{i}": x if x is None or enc is None else enc(x)
                for i, (x, enc) in enumerate(zip(v, inners, strict=True))
            }
        case _ if type_.name in RANGE_NAMES:
            return range_encoder(_encoder(subtype_of(type_), wide))
        case _ if type_.name in MULTIRANGE_NAMES:
            return _list_encoder(_encoder(range_in(type_), wide))
        case _:
            return None


def _list_encoder(inner: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    if inner is None:
        return list
    return lambda v: [None if item is None else inner(item) for item in v]


def _list_decoder(inner: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    if inner is None:
        return tuple
    return lambda v: tuple(None if item is None else inner(item) for item in v)


def _decoder(type_: ScalarType, counts: bool = False) -> Callable[[Any], Any] | None:
    """Returns the function from pyarrow's value to a datum; None when they are the same. Dates and moments are numbers
    where it `counts`."""
    match type_.name:
        case TypeName.TIME:
            return time_from_micros
        case TypeName.DATE if counts:
            return numbered_date
        case TypeName.TIMESTAMP if counts:
            return numbered_moment
        case TypeName.TIMESTAMPTZ if counts:
            return numbered_zoned_moment
        case TypeName.TIMETZ:
            return _unpack_timetz
        case TypeName.INET | TypeName.CIDR:
            return _unpack_inet
        case TypeName.UINT8:
            return int
        case TypeName.INTERVAL:
            return lambda v: Interval(v["months"], v["days"], v["microseconds"])
        case TypeName.UUID:
            return uuid.UUID
        case TypeName.WIDE:
            return decode_wide
        case TypeName.NUMERIC if precision_and_scale(type_) is None:
            return _from_numeric(shown_scale(type_) or 0)
        case TypeName.TIMESTAMPTZ:
            # pyarrow's zone object differs from the standard library's; datums hold the latter.
            return lambda v: v.replace(tzinfo=datetime.UTC)
        case TypeName.ARRAY:
            assert type_.element is not None
            return array_decoder(_decoder(type_.element, counts))
        case TypeName.LIST:
            assert type_.member is not None
            return _list_decoder(_decoder(type_.member, counts))
        case TypeName.INT2VECTOR | TypeName.OIDVECTOR:
            return tuple
        case TypeName.MAP:
            assert type_.member is not None
            return map_decoder(_decoder(type_.member, counts))
        case TypeName.RECORD:
            inners = [_decoder(t, counts) for _, t in type_.fields]
            return lambda v: tuple(
                x if x is None or dec is None else dec(x) for x, dec in zip(v.values(), inners, strict=True)
            )
        case _ if type_.name in RANGE_NAMES:
            return range_decoder(_decoder(subtype_of(type_), counts))
        case _ if type_.name in MULTIRANGE_NAMES:
            return _list_decoder(_decoder(range_in(type_), counts))
        case _:
            return None


def column_to_arrow(values: Sequence[Datum], type_: ScalarType) -> pa.Array:
    """Returns datums of one type as an Arrow array."""
    arrow = arrow_type(type_)
    try:
        return _to_arrow(values, type_, arrow, wide=False)
    except pa.ArrowTypeError:
        # Most columns have no values that Python's calendar lacks, and pyarrow finds those that there are.
        if counted(arrow) == arrow:
            raise
        return _to_arrow(values, type_, arrow, wide=True)


def _to_arrow(values: Sequence[Datum], type_: ScalarType, arrow: pa.DataType, *, wide: bool) -> pa.Array:
    if type_.element is not None:
        return arrays_to_arrow(list(values), _encoder(type_.element, wide), arrow)
    encode = _encoder(type_, wide)
    encoded: Sequence[Any] = values
    if encode is not None:
        encoded = [None if value is None else encode(value) for value in values]
    if len(encoded) <= _FEW and arrow in _STRINGS and sum(map(len, filter(None, encoded))) in _LARGE:
        return _large_strings(encoded, arrow)
    return pa.array(encoded, arrow)


def _large_strings(values: Sequence[str | bytes | None], arrow: pa.DataType) -> pa.Array:
    """Builds an array as pa.array does, without holding Python's lock while copying."""
    encoded = [b"" if v is None else v.encode() if isinstance(v, str) else v for v in values]
    offsets = pa.array(accumulate(map(len, encoded), initial=0), pa.int32())
    present = pa.array([v is not None for v in values])
    buffers = [present.buffers()[1], offsets.buffers()[1], pa.py_buffer(b"".join(encoded))]
    return pa.Array.from_buffers(arrow, len(values), buffers)


def column_from_arrow(column: pa.Array | pa.ChunkedArray, type_: ScalarType) -> list[Datum]:
    """Returns the datums of an Arrow column."""
    try:
        return _from_arrow(column, type_, counts=False)
    except OverflowError:
        numbers = counted(column.type)
        if numbers == column.type:
            raise
        return _from_arrow(column.cast(numbers), type_, counts=True)


def _from_arrow(column: pa.Array | pa.ChunkedArray, type_: ScalarType, *, counts: bool) -> list[Datum]:
    if type_.name is TypeName.TIMESTAMPTZ and not counts:
        # Arrow would make a zone's object for each value.
        column = column.cast(_SIMPLE[TypeName.TIMESTAMP])
    if type_.element is not None:
        whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
        return arrays_from_arrow(whole, _decoder(type_.element, counts))
    values: list[Any] = column.to_pylist()
    if type_.name is TypeName.NUMERIC and pa.types.is_string(column.type):
        # Text says how many decimals are shown, where these hang on the values.
        return [None if value is None else decimal.Decimal(value) for value in values]
    decode = _decoder(type_, counts)
    if decode is None:
        return values
    return [None if value is None else decode(value) for value in values]


def memory_of(table: pa.Table) -> int:
    """Returns the approximate size of a table; a small one is not measured exactly, which would cost more than it is
    worth."""
    whole = int(table.get_total_buffer_size())
    return whole if whole <= _FEW_BYTES else int(table.nbytes)


def rows_to_arrow(rows: Iterable[Row], desc: RelationDesc) -> pa.Table:
    """Makes an Arrow table of `arrow_schema(desc)` from rows of `desc`; duplicates stay duplicates."""
    rows = list(rows)
    columns = list(zip(*rows, strict=True)) if rows else [()] * desc.arity
    arrays = [column_to_arrow(column, type_) for column, type_ in zip(columns, desc.types, strict=True)]
    if not arrays:
        # Arrow has no rows without columns; a table of no columns counts them in a struct array.
        return pa.Table.from_struct_array(pa.array([{}] * len(rows), pa.struct([])))
    return pa.Table.from_arrays(arrays, schema=arrow_schema(desc))


def shown_rows_to_arrow(rows: Iterable[Row], desc: RelationDesc) -> pa.Table:
    """Returns rows for a client as an Arrow table: numerics whose type doesn't tell the decimals are text."""
    rows = list(rows)
    table = rows_to_arrow(rows, desc)
    for at, column in enumerate(desc.columns):
        if has_own_decimals(column.type):
            texts = [None if row[at] is None else format(row[at], "f") for row in rows]
            table = table.set_column(at, table.field(at).name, pa.array(texts, pa.string()))
    return table


def rows_from_arrow(table: pa.Table, desc: RelationDesc) -> list[Row]:
    """Returns the rows of an Arrow table whose first columns are those of `desc`."""
    if desc.arity == 0:
        return [()] * int(table.num_rows)
    told = {at: place for at, place in told_decimals(desc.columns) if not pa.types.is_string(table.column(at).type)}
    columns = [[] if i in told else column_from_arrow(table.column(i), type_) for i, type_ in enumerate(desc.types)]
    for at, place in told.items():
        columns[at] = with_told_decimals(table.column(at), columns[place])
    return list(zip(*columns, strict=True))
