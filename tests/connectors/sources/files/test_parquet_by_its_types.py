"""Each type that a Parquet file may have, as a column of SQL: values are what they are, and none stalls its source."""

from __future__ import annotations

import io
import random
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from connectors.files.source.parquet_columns import parquet_desc, parquet_rows
from model.physical.columns import rows_from_arrow
from tests.judge import Judge

_DAY = datetime(2026, 11, 27, 10, 0, 0, 123456)


def _read(values: pa.Array) -> tuple[str, list[Any]]:
    """The column's type, and its values, once they were written and read."""
    written = io.BytesIO()
    pq.write_table(pa.table({"x": values}), written)
    written.seek(0)
    table = pq.read_table(written)
    desc = parquet_desc(table.schema)
    rows = parquet_rows(table, desc)
    return desc.columns[0].type.name.value, [value for (value,) in rows_from_arrow(rows, desc)]


_VIEWS = [
    (pa.binary_view(), b"view", "bytea", b"view"),
    (pa.large_binary(), b"v\x00", "bytea", b"v\x00"),
    (pa.binary(2), b"ab", "bytea", b"ab"),
    (pa.string_view(), "é", "text", "é"),
    (pa.large_string(), "v", "text", "v"),
    (pa.dictionary(pa.int8(), pa.string()), "v", "text", "v"),
    (pa.dictionary(pa.int32(), pa.binary()), b"v", "bytea", b"v"),
    (pa.uuid(), b"0" * 16, "text", "30303030-3030-3030-3030-303030303030"),
    (pa.json_(), '{"a":1}', "text", '{"a":1}'),
    (pa.bool8(), 1, "bool", True),
]
_NUMBERS = [
    (pa.int8(), -8, "int2", -8),
    (pa.uint8(), 255, "int4", 255),
    (pa.uint16(), 65535, "int4", 65535),
    (pa.uint32(), 2**32 - 1, "int8", 2**32 - 1),
    (pa.uint64(), 2**64 - 1, "numeric", Decimal(2**64 - 1)),
    (pa.float16(), 1.5, "float4", 1.5),
    (pa.decimal32(5, 2), Decimal("1.10"), "numeric", Decimal("1.10")),
    (pa.decimal64(15, 0), Decimal(7), "numeric", Decimal(7)),
    (pa.decimal256(30, 5), Decimal("1.5"), "numeric", Decimal("1.50000")),
    (
        pa.decimal256(60, 2),
        Decimal("12345678901234567890123456789012345678901234.50"),
        "wide",
        Decimal("12345678901234567890123456789012345678901234.50"),
    ),
]
_MOMENTS = [
    (pa.timestamp("s"), _DAY.replace(microsecond=0), "timestamp", _DAY.replace(microsecond=0)),
    (pa.timestamp("ms"), _DAY.replace(microsecond=123000), "timestamp", _DAY.replace(microsecond=123000)),
    (pa.timestamp("us"), _DAY, "timestamp", _DAY),
    (pa.timestamp("ns"), _DAY, "timestamp", _DAY),
    (pa.timestamp("ns", "Europe/Berlin"), _DAY.replace(tzinfo=UTC), "timestamptz", _DAY.replace(tzinfo=UTC)),
    (pa.date32(), date(2026, 11, 27), "date", date(2026, 11, 27)),
    (pa.date64(), date(2026, 11, 27), "date", date(2026, 11, 27)),
    (pa.time32("s"), time(10, 1), "time", time(10, 1)),
    (pa.time32("ms"), time(10, 1), "time", time(10, 1)),
    (pa.time64("us"), time(10, 1, 2, 3), "time", time(10, 1, 2, 3)),
    (pa.time64("ns"), 36_000_000_001_501, "time", time(10, 0, 0, 2)),
    (pa.duration("s"), timedelta(days=1, seconds=2), "text", "24:00:02"),
    (pa.duration("ms"), timedelta(milliseconds=-1500), "text", "-00:00:01.5"),
    (pa.duration("ns"), timedelta(microseconds=7), "text", "00:00:00.000007"),
]


@pytest.mark.parametrize(("type_", "value", "name", "wanted"), [*_VIEWS, *_NUMBERS, *_MOMENTS], ids=str)
def test_a_value_is_what_it_is_however_it_lies(type_: pa.DataType, value: Any, name: str, wanted: Any) -> None:
    found, values = _read(pa.array([value, None], type_))
    assert (found, values) == (name, [wanted, None])
    assert type(values[0]) is type(wanted)


@pytest.mark.parametrize(
    ("type_", "value", "wanted"),
    [
        (pa.list_(pa.binary()), [b"x", None], '["\\\\x78", null]'),
        (pa.large_list(pa.int8()), [1], "[1]"),
        (pa.list_(pa.int8(), 2), [1, 2], "[1, 2]"),
        (pa.list_view(pa.decimal128(5, 2)), [Decimal("1.10")], '["1.10"]'),
        (pa.list_(pa.float64()), [float("nan"), float("-inf"), 0.5], '["NaN", "-Infinity", 0.5]'),
        (pa.list_(pa.timestamp("us")), [_DAY], '["2026-11-27 10:00:00.123456"]'),
        (pa.list_(pa.duration("us")), [timedelta(hours=30)], '["30:00:00"]'),
        (
            pa.struct([("a", pa.binary_view()), ("b", pa.bool_())]),
            {"a": b"\x00", "b": True},
            '{"a": "\\\\x00", "b": true}',
        ),
        (pa.map_(pa.string(), pa.int8()), [("k", 1)], '[["k", 1]]'),
    ],
    ids=str,
)
def test_what_is_nested_is_json(type_: pa.DataType, value: Any, wanted: str) -> None:
    found, values = _read(pa.array([value, None], type_))
    assert (found, values[1]) == ("jsonb", None)
    assert str(values[0]) == wanted


def test_fractions_of_a_microsecond_are_rounded_as_postgresql_rounds_them(judge: Judge) -> None:
    chance = random.Random(3)
    numbers = [chance.randint(-(10**18), 10**18) for _ in range(200)]
    numbers = [number + 1 if number % 1_000 == 500 else number for number in numbers]
    texts = pa.array(numbers, pa.timestamp("ns")).cast(pa.string()).to_pylist()
    with judge.connect() as connection:
        wanted = [
            row[0]
            for row in connection.execute("SELECT t::timestamp FROM unnest(%s::text[]) AS t", (texts,)).fetchall()
        ]
    assert _read(pa.array(numbers, pa.timestamp("ns"))) == ("timestamp", wanted)


def test_a_column_of_nothing_is_null() -> None:
    assert _read(pa.nulls(2)) == ("text", [None, None])
