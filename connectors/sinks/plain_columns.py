"""Turns documents into columns that other programs read, named as in the collection, of types that Arrow and JSON have.

Numbers, booleans, dates, times and bytes keep their types; JSON stays JSON; every other type becomes text, as
PostgreSQL writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from connectors.sinks.description import SinkDescription
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_from_arrow, column_name
from model.physical.shown_numerics import shown_name, shown_texts
from model.physical.wide_times import within_python
from model.text.dispatch import formatter
from model.types.datum import MICROSECONDS_PER_DAY
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName, precision_and_scale

CHANGE_COLUMNS = ("mz_timestamp", "mz_diff")
"""What a change has beside the document's own columns, where there is no key."""

_AS_THEY_ARE = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.UINT2,
        TypeName.UINT4,
        TypeName.UINT8,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.DATE,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.BYTEA,
        TypeName.TEXT,
        TypeName.VARCHAR,
        TypeName.UUID,
        TypeName.JSON,
        TypeName.JSONB,
        TypeName.OID,
        TypeName.MZ_TIMESTAMP,
    )
)
DATED = frozenset((TypeName.DATE, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ))
_JSON_AS_THEY_ARE = frozenset(
    (
        TypeName.BOOL,
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.UINT2,
        TypeName.UINT4,
        TypeName.UINT8,
        TypeName.OID,
    )
)


_TEXTS_IN_JSON = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.DATE, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ))
_PLAIN_DECIMALS = 6
"""With more of them Arrow writes small numbers with an exponent."""
_CAST_TO_TEXT = _AS_THEY_ARE - {TypeName.BYTEA}
"""Arrow writes them so that PostgreSQL reads the same."""


def named_columns(documents: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents with the collection's column names, followed by time and diff where there is no key."""
    table = plain_columns(documents, sink.documents)
    if sink.key is None:
        for name, column in zip(CHANGE_COLUMNS, (TIME_COLUMN, DIFF_COLUMN), strict=True):
            table = table.append_column(name, documents.column(column))
    return table


def plain_columns(rows: pa.Table, desc: RelationDesc) -> pa.Table:
    """Returns rows with the names of their columns; columns of time and diff may be among them."""
    columns = [_column(rows.column(column_name(at)), column.type) for at, column in enumerate(desc.columns)]
    return pa.table(columns, names=list(desc.names))


def _column(column: pa.ChunkedArray, type_: ScalarType) -> pa.ChunkedArray | pa.Array:
    if type_.name in DATED:
        return within_calendars(column, "Parquet")
    if type_.name in _AS_THEY_ARE:
        return column
    if type_.name is TypeName.TIME:
        return _within_the_day(column).cast(pa.time64("us"))
    return text_column(column, type_)


def within_calendars(column: pa.ChunkedArray, destination: str) -> pa.ChunkedArray:
    """Returns dates or moments, all of which are of the years 1 to 9999: what readers take others for, an error or
    another day, hangs on the reader."""
    if not within_python(column):
        message = f"a date to be written is infinite or not of the years 1 to 9999, which {destination} has not"
        raise SqlError(Sqlstate.DATETIME_FIELD_OVERFLOW, message, hint="Cast such dates to text.")
    return column


def _within_the_day(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Returns times of day, none of which is 24:00:00: readers of Parquet take that for an error, or for midnight."""
    if pc.any(pc.greater_equal(column, MICROSECONDS_PER_DAY)).as_py():
        hint = "Cast such times to text."
        raise SqlError(
            Sqlstate.DATETIME_FIELD_OVERFLOW, "a time to be written is 24:00:00, which Parquet has not", hint=hint
        )
    return column


def text_column(column: pa.ChunkedArray, type_: ScalarType) -> pa.Array | pa.ChunkedArray:
    """Returns values as texts, as PostgreSQL writes them."""
    match type_.name:
        case TypeName.TEXT | TypeName.VARCHAR:
            return column
        case TypeName.DATE if within_python(column):
            return column.cast(pa.string())
        case TypeName.TIMESTAMP | TypeName.TIMESTAMPTZ if within_python(column):
            return _moments(column, "+00" if type_.name is TypeName.TIMESTAMPTZ else "")
        case TypeName.NUMERIC if (bounds := precision_and_scale(type_)) is not None and bounds[1] <= _PLAIN_DECIMALS:
            return column.cast(pa.string())
    show = formatter(type_)
    values = (None if value is None else show(value) for value in column_from_arrow(column, type_))
    return pa.array(values, pa.string())


def written_text(documents: pa.Table, at: int, type_: ScalarType) -> pa.Array | pa.ChunkedArray:
    """Returns a document's column as texts, as PostgreSQL writes them: numerics with their decimals, where the
    documents tell them."""
    column, shown = documents.column(column_name(at)), shown_name(at)
    told = shown in documents.column_names
    return shown_texts(column, documents.column(shown)) if told else text_column(column, type_)


def _moments(column: pa.ChunkedArray, zone: str) -> pa.ChunkedArray:
    """Writes moments as PostgreSQL does, with as many decimals as are needed (Arrow always writes six)."""
    texts = column.cast(pa.timestamp("us")).cast(pa.string())
    shown = pc.replace_substring_regex(pc.replace_substring_regex(texts, "0+$", ""), r"\.$", "")
    return pc.binary_join_element_wise(shown, zone, "") if zone else shown


def text_columns(documents: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents as `named_columns` does, but with all values except whole numbers as PostgreSQL's texts."""
    desc = sink.documents
    columns = [_number_or_text(documents, at, type_) for at, type_ in enumerate(desc.types)]
    names = [column.name for column in desc.columns]
    if sink.key is None:
        columns += [documents.column(TIME_COLUMN), documents.column(DIFF_COLUMN)]
        names += CHANGE_COLUMNS
    return pa.table(columns, names=names)


def _number_or_text(documents: pa.Table, at: int, type_: ScalarType) -> pa.ChunkedArray | pa.Array:
    whole = type_.name in _JSON_AS_THEY_ARE and type_.name is not TypeName.BOOL
    return documents.column(column_name(at)) if whole else written_text(documents, at, type_)


def json_lines(documents: pa.Table, sink: SinkDescription) -> bytes:
    """Returns a JSON object a document, each on a line of its own."""
    objects = json_objects(documents, sink.documents)
    if sink.key is None:
        times, diffs = (documents.column(name).to_pylist() for name in (TIME_COLUMN, DIFF_COLUMN))
        objects = plain_changes(objects, times, diffs)
    return b"".join(msgspec.json.encode(each) + b"\n" for each in objects)


def plain_changes(rows: Iterable[Mapping[str, Any]], times: list[int], diffs: list[int]) -> list[dict[str, Any]]:
    """Adds to each row the time and the diff of its change."""
    at, by = CHANGE_COLUMNS
    return [{**row, at: time, by: diff} for row, time, diff in zip(rows, times, diffs, strict=True)]


def json_objects(documents: pa.Table, desc: RelationDesc) -> list[dict[str, Any]]:
    """Returns documents as objects that `msgspec.json` encodes, each on one line. A value that JSON can't hold exactly
    becomes text."""
    columns = [_json_values(documents, at, type_) for at, type_ in enumerate(desc.types)]
    return [dict(zip(desc.names, row, strict=True)) for row in zip(*columns, strict=True)]


def document_lines(rows: pa.Table, desc: RelationDesc) -> bytes:
    """Returns an object a line."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in json_objects(rows, desc))


def _json_values(documents: pa.Table, at: int, type_: ScalarType) -> list[Any]:
    column = documents.column(column_name(at))
    if type_.name in _TEXTS_IN_JSON:
        return [*text_column(column, type_).to_pylist()]
    if type_.name is TypeName.NUMERIC:
        texts = written_text(documents, at, type_).to_pylist()
        return [None if text is None else msgspec.Raw(text.encode()) for text in texts]
    values = column_from_arrow(column, type_)
    if type_.name in _JSON_AS_THEY_ARE:
        return values
    written = formatter(type_)

    def show(value: Any) -> Any:
        if type_.name in (TypeName.JSON, TypeName.JSONB):
            # A json value keeps its text, perhaps of several lines; within a JSON string line ends are always escaped.
            return msgspec.Raw(written(value).replace("\n", " ").replace("\r", " ").encode())
        number = type_.name in (TypeName.FLOAT4, TypeName.FLOAT8) and value - value == 0
        return msgspec.Raw(written(value).encode()) if number else written(value)

    return [None if value is None else show(value) for value in values]


def quick_text_columns(documents: pa.Table, sink: SinkDescription) -> pa.Table:
    """Returns the documents as `text_columns` does, in any form that PostgreSQL reads as the same value: most
    columns are converted without a look at each value."""
    desc = sink.documents
    columns = [_quick_text(documents, at, column.type) for at, column in enumerate(desc.columns)]
    names = [column.name for column in desc.columns]
    if sink.key is None:
        columns += [documents.column(name).cast(pa.string()) for name in (TIME_COLUMN, DIFF_COLUMN)]
        names += CHANGE_COLUMNS
    return pa.table(columns, names=names)


def _quick_text(documents: pa.Table, at: int, type_: ScalarType) -> pa.ChunkedArray | pa.Array:
    column = documents.column(column_name(at))
    if type_.name in DATED and not within_python(column):
        return text_column(column, type_)
    # A numeric without a scale has one here, which nobody gave it.
    scaled = type_.name is not TypeName.NUMERIC or precision_and_scale(type_) is not None
    return column.cast(pa.string()) if type_.name in _CAST_TO_TEXT and scaled else written_text(documents, at, type_)
