"""Records to rows: formats, metadata, and what becomes of records that can't be decoded."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.sources.decode.rows import decoded_rows
from model.external.records import (
    CsvFields,
    DecodingErrors,
    RecordEncoding,
    RecordFormat,
    RecordMetadata,
    encoded_columns,
)
from model.physical.columns import rows_from_arrow
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT

_AT = datetime.datetime(2026, 11, 23, 4, 5, 6, 789000, tzinfo=datetime.UTC)


def _records(*values: bytes | None, key: bytes | None = b"k") -> pa.Table:
    rows = [
        {
            "partition": 3,
            "offset": 100 + number,
            "timestamp": _AT,
            "key": key,
            "value": value,
            "headers": [{"key": "h", "value": b"\x00\xff"}, {"key": "h", "value": None}],
        }
        for number, value in enumerate(values)
    ]
    return pa.Table.from_pylist(rows, schema=RECORDS_SCHEMA)


def _decoded(records: pa.Table, encoding: RecordEncoding) -> list[Row]:
    desc = RelationDesc((*encoded_columns(encoding), ColumnDesc("err", TEXT)))
    return rows_from_arrow(decoded_rows(records, encoding, desc), desc)


@pytest.mark.parametrize(
    ("format_", "value", "datum"),
    [
        (RecordFormat.BYTES, b"\x00\xff", b"\x00\xff"),
        (RecordFormat.TEXT, "größer\n".encode(), "größer\n"),
        (RecordFormat.TEXT, b"", ""),
        (RecordFormat.JSON, b' {"b": 1.50, "a": null, "b": 2} ', '{"a": null, "b": 2}'),
        (RecordFormat.JSON, b'"x"', '"x"'),
    ],
)
def test_formats(format_: RecordFormat, value: bytes, datum: object) -> None:
    encoding = RecordEncoding(None, format_, ())
    assert _decoded(_records(value, None), encoding) == [(datum, None), (None, None)]


def test_key_value_and_metadata_in_their_order() -> None:
    metadata = (RecordMetadata.OFFSET, RecordMetadata.TIMESTAMP, RecordMetadata.HEADERS, RecordMetadata.PARTITION)
    encoding = RecordEncoding(RecordFormat.TEXT, RecordFormat.BYTES, metadata)
    headers = (("h", b"\x00\xff"), ("h", None))
    assert _decoded(_records(b"v"), encoding) == [("k", b"v", 100, _AT, headers, 3, None)]
    assert [column.name for column in encoded_columns(encoding)] == [
        "key",
        "data",
        "offset",
        "timestamp",
        "headers",
        "partition",
    ]


_BAD = [
    (RecordFormat.JSON, b"{", "22P02"),
    (RecordFormat.JSON, b"", "22P02"),
    (RecordFormat.JSON, b'{"a": NaN}', "22P02"),
    (RecordFormat.JSON, b'"\\u0000"', "22P05"),
    (RecordFormat.JSON, b"1e999999", "22003"),
    (RecordFormat.JSON, b"[" * 100_000, "54001"),
    (RecordFormat.JSON, b"\xff", "22021"),
    (RecordFormat.TEXT, b"\xc3\x28", "22021"),
    (RecordFormat.TEXT, b"a\x00b", "22021"),
]


@pytest.mark.parametrize(("format_", "value", "sqlstate"), _BAD)
def test_what_cannot_be_decoded_is_an_error_that_names_its_record(
    format_: RecordFormat, value: bytes, sqlstate: str
) -> None:
    encoding = RecordEncoding(RecordFormat.TEXT, format_, (RecordMetadata.OFFSET,))
    good = b"1"
    first, bad, last = _decoded(_records(good, value, good), encoding)
    assert first[-1] is last[-1] is None
    assert bad[:-1] == (None, None, None), "an error is no row"
    assert str(bad[-1]).startswith(f"{sqlstate} the value of the record at partition 3, offset 101 can't be decoded: ")


@pytest.mark.parametrize(("format_", "value", "sqlstate"), _BAD)
def test_what_cannot_be_decoded_can_be_skipped(format_: RecordFormat, value: bytes, sqlstate: str) -> None:
    encoding = RecordEncoding(None, format_, (RecordMetadata.OFFSET,), DecodingErrors.SKIP)
    assert [row[1] for row in _decoded(_records(b"1", value, b"1"), encoding)] == [100, 102]


def test_a_bad_key_is_told_as_such() -> None:
    encoding = RecordEncoding(RecordFormat.JSON, RecordFormat.TEXT, ())
    ((_, _, error),) = _decoded(_records(b"v", key=b"{"), encoding)
    assert str(error).startswith("22P02 the key of the record at partition 3, offset 100")


def test_csv_has_a_column_for_each_field() -> None:
    encoding = RecordEncoding(RecordFormat.TEXT, CsvFields(3), (RecordMetadata.OFFSET,))
    values = (b'a,,"x ""y"", z"', 'ä,b,"two\nlines"\r\n'.encode(), None)
    assert _decoded(_records(*values), encoding) == [
        ("k", "a", "", 'x "y", z', 100, None),
        ("k", "ä", "b", "two\nlines", 101, None),
        ("k", None, None, None, 102, None),
    ]
    assert [column.name for column in encoded_columns(encoding)] == ["key", "column1", "column2", "column3", "offset"]


@pytest.mark.parametrize(
    "value", [b"a", b"a,b,c", b"", b"a,b\nc,d", b'a,"b', b"a,\xff", b"a,\x00", b"a\rb", b"a,b\rc,d"]
)
def test_what_is_no_line_of_so_many_fields_is_an_error_or_skipped(value: bytes) -> None:
    encoding = RecordEncoding(None, CsvFields(2), ())
    first, bad = _decoded(_records(b"1,2", value), encoding)
    assert first == ("1", "2", None)
    assert bad[:2] == (None, None)
    assert str(bad[2])[:5] in ("22P04", "22021")
    skipping = RecordEncoding(None, CsvFields(2), (), DecodingErrors.SKIP)
    assert _decoded(_records(b"1,2", value), skipping) == [("1", "2", None)]


def test_csv_may_have_another_delimiter() -> None:
    assert _decoded(_records(b"a,b;c"), RecordEncoding(None, CsvFields(2, ";"), ())) == [("a,b", "c", None)]


def test_what_cannot_be_decoded_is_told_in_a_column_of_the_row() -> None:
    both = RecordEncoding(
        RecordFormat.JSON,
        RecordFormat.JSON,
        (RecordMetadata.OFFSET,),
        value_errors=DecodingErrors.INLINE,
        key_errors=DecodingErrors.INLINE,
    )
    good, bad = _decoded(_records(b"1", b"{", key=b"2"), both)
    assert good == ("2", None, "1", 100, None)
    assert bad[0] == "2" and bad[2:] == (None, 101, None)
    assert "the value of the record at partition 3, offset 101 can" in str(bad[1])
    ((key, told, *rest),) = _decoded(_records(b"1", key=b"{"), both)
    assert (key, rest) == (None, ["1", 100, None])
    assert "the key of the record at partition 3, offset 100 can" in str(told)
    assert [column.name for column in encoded_columns(both)] == ["key", "error", "data", "offset"]


def test_keys_and_values_have_policies_of_their_own() -> None:
    skipped = RecordEncoding(RecordFormat.JSON, RecordFormat.JSON, (), key_errors=DecodingErrors.SKIP)
    assert _decoded(_records(b"1", b"{", key=b"{"), skipped) == []
    ((*row, error),) = _decoded(_records(b"{", key=b"1"), skipped)
    assert row == [None, None]
    assert "VALUE DECODING ERRORS = SKIP leaves" in str(error)
