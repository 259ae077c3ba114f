"""Turns values in PostgreSQL's text form into columns. Pure.

Types whose text form Arrow reads are converted by Arrow, a column at a time; other types, and columns that Arrow fails
on (dates before Christ, say), value by value. A row with a value that no type here holds becomes an error in the row's
place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from connectors.upstream import ERROR
from model.errors.sql_error import SqlError
from model.external.publications import PublishedColumn, PublishedTable
from model.physical.columns import DIFF_COLUMN, arrow_type, column_name, column_to_arrow
from model.physical.shown_numerics import decimals_in, shown_name
from model.text.dispatch import parser
from model.text.numerics import unstorable
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, TypeName, has_own_decimals

_AS_WRITTEN = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.NAME, TypeName.JSON, TypeName.UUID))
"""Types whose values lie as their texts are."""
_READ_BY_ARROW = frozenset(
    (
        TypeName.INT2,
        TypeName.INT4,
        TypeName.INT8,
        TypeName.FLOAT4,
        TypeName.FLOAT8,
        TypeName.NUMERIC,
        TypeName.DATE,
        TypeName.TIMESTAMP,
        TypeName.TIMESTAMPTZ,
        TypeName.OID,
    )
)
_HINT = "TEXT COLUMNS takes columns as text"


def changed_columns(table: PublishedTable, texts: Sequence[pa.Array], diffs: pa.Array | int) -> pa.Table:
    """Makes changes of a table, of which the texts are given column by column: c0, …, the decimals of numerics
    without a modifier, `err`, `diff`."""
    columns: list[pa.Array] = []
    errors: dict[int, str] = {}
    count = len(texts[0])
    for column, values in zip(table.columns, texts, strict=True):
        columns.append(_parsed(table, column, values, errors))
    names = [column_name(at) for at in range(len(columns))]
    for at, column in enumerate(table.columns):
        if has_own_decimals(column.type):
            columns.append(decimals_in(texts[at]))
            names.append(shown_name(at))
    if errors:
        sound = pa.array([at not in errors for at in range(count)])
        columns = [pc.if_else(sound, column, pa.scalar(None, column.type)) for column in columns]
        told = pa.array([errors.get(at) for at in range(count)], pa.string())
    else:
        told = pa.nulls(count, pa.string())
    if isinstance(diffs, int):
        diffs = pa.array(np.full(count, diffs, np.int64))
    return pa.table([*columns, told, diffs], [*names, ERROR, DIFF_COLUMN])


def _parsed(table: PublishedTable, column: PublishedColumn, texts: pa.Array, errors: dict[int, str]) -> pa.Array:
    name, type_ = column.type.name, arrow_type(column.type)
    if name in _AS_WRITTEN:
        return texts
    if name is TypeName.BOOL:
        return pc.equal(texts, "t")
    if name in _READ_BY_ARROW:
        try:
            return pc.cast(texts, type_)
        except pa.ArrowInvalid:
            pass
    return _one_by_one(texts, column.type, lambda at, why: errors.setdefault(at, _told(table, column, why)))


def _told(table: PublishedTable, column: PublishedColumn, why: SqlError) -> str:
    """Writes an error's text, without the row: the deletion of the row must give the same text as its insertion."""
    where = f'column "{column.name}" of upstream\'s table "{table.full_name}"'
    return f"{why.sqlstate.value} a value of {where} can't be held: {why.message} ({_HINT})"


def _one_by_one(texts: pa.Array, type_: ScalarType, fail: Callable[[int, SqlError], object]) -> pa.Array:
    parse = parser(type_.plain())
    datums: list[Datum] = []
    for at, text in enumerate(texts.to_pylist()):
        try:
            datums.append(None if text is None else parse(text))
        except SqlError as error:
            datums.append(None)
            fail(at, error)
    try:
        return column_to_arrow(datums, type_)
    except (SqlError, pa.ArrowInvalid):
        return _those_that_fit(datums, type_, fail)


def _those_that_fit(datums: list[Datum], type_: ScalarType, fail: Callable[[int, SqlError], object]) -> pa.Array:
    """Returns the column with NULL for each datum that the physical type can't hold, and tells `fail` of the datum."""
    for at, datum in enumerate(datums):
        try:
            column_to_arrow([datum], type_)
        except SqlError as error:
            datums[at] = None
            fail(at, error)
        except pa.ArrowInvalid:
            # NaN and infinities, where decimals are held.
            datums[at] = None
            fail(at, unstorable())
    return column_to_arrow(datums, type_)
