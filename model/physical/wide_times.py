"""Dates and moments beyond Python's calendar in Arrow and Spark: the numbers that date32 and timestamp[us] are.

    date       days since 1970 in 32 bits, all of PostgreSQL's dates        infinities: 2^31 - 1 and -2^31
    moments    microseconds since 1970 in 64 bits, up to 294247-01-10       infinities: 2^63 - 1 and -2^63

The infinities are the ends of the integers, so that stored numbers sort as the values do. The numbers beside the first
and the last finite moment are those of dates outside of all moments, which comparisons make. PostgreSQL counts from
2000 and so reaches to the end of the year 294276; what lies behind our last microsecond is refused by name.

Arrow gives datetimes for such columns and raises OverflowError at a number that has none; then the columns are read as
the numbers that they are (`counted`).
"""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Datum
from model.types.wide_time import (
    BEFORE_ALL,
    BEHIND_ALL,
    INFINITE,
    MICROS_MIN,
    PYTHON_DAYS,
    PYTHON_MICROS,
    AnyDate,
    AnyMoment,
    WideDate,
    WideMoment,
    date_at,
    moment_at,
)

DATE_ENDS: Final = (-(2**31), 2**31 - 1)
MOMENT_ENDS: Final = (-(2**63), 2**63 - 1)
"""What stands for -infinity and infinity."""
LAST_MICROS: Final = MOMENT_ENDS[1] - 2
"""The last moment of all that collections hold; the number behind it stands for `BEHIND_ALL`."""
_APART: Final = {
    MOMENT_ENDS[0]: WideMoment(-INFINITE),
    MICROS_MIN - 1: BEFORE_ALL,
    LAST_MICROS + 1: BEHIND_ALL,
    MOMENT_ENDS[1]: WideMoment(INFINITE),
}


@lru_cache(maxsize=1024)
def counted(type_: pa.DataType) -> pa.DataType:
    """Returns an Arrow type with the integers that dates and timestamps are in their places; itself without these."""
    if pa.types.is_date32(type_):
        return pa.int32()
    if pa.types.is_timestamp(type_):
        return pa.int64()
    if pa.types.is_list(type_):
        item = counted(type_.value_type)
        return type_ if item == type_.value_type else pa.list_(type_.value_field.with_type(item))
    if pa.types.is_struct(type_):
        fields = [field.with_type(counted(field.type)) for field in type_]
        return type_ if fields == list(type_) else pa.struct(fields)
    return type_


def least_and_greatest(column: pa.ChunkedArray | pa.Array) -> tuple[int, int] | None:
    """Returns the least and the greatest number of a column of dates or moments; None where all are NULL."""
    least, greatest = pc.min_max(column.cast(counted(column.type))).as_py().values()
    return None if least is None else (least, greatest)


def within_python(column: pa.ChunkedArray | pa.Array) -> bool:
    """Tells whether all of a column's dates or moments are of the years 1 to 9999."""
    ends = least_and_greatest(column)
    first, last = PYTHON_DAYS if pa.types.is_date32(column.type) else PYTHON_MICROS
    return ends is None or (first <= ends[0] and ends[1] <= last)


def _end(count: int, ends: tuple[int, int]) -> int:
    return ends[count > 0]


def date_number(value: AnyDate) -> datetime.date | int:
    """Returns what pyarrow takes for a date: a date, or the number of days."""
    if not isinstance(value, WideDate):
        return value
    return _end(value.count, DATE_ENDS) if abs(value.count) == INFINITE else value.count


def moment_number(value: AnyMoment) -> datetime.datetime | int:
    """Returns what pyarrow takes for a moment: a datetime, or the number of microseconds. 22008 for the last thirty
    years of PostgreSQL's, which no collection holds."""
    if not isinstance(value, WideMoment):
        return value
    if abs(value.count) == INFINITE:
        return _end(value.count, MOMENT_ENDS)
    if value == BEHIND_ALL:
        return LAST_MICROS + 1
    if value.count > LAST_MICROS:
        raise SqlError(
            Sqlstate.DATETIME_FIELD_OVERFLOW,
            "timestamp out of range",
            detail="The last timestamp that can be stored is 294247-01-10 04:00:54.775805.",
        )
    return value.count


def held_beside(moment: Datum) -> Datum:
    """Returns what a collection compares for a moment: those that it does not hold are behind all that it holds."""
    late = isinstance(moment, WideMoment) and LAST_MICROS < moment.count < INFINITE
    return BEHIND_ALL if late else moment


def numbered_date(days: int) -> AnyDate:
    """Returns the date that a stored number is."""
    return WideDate(_infinity(days)) if days in DATE_ENDS else date_at(days)


def numbered_moment(micros: int) -> AnyMoment:
    """Returns the timestamp that a stored number is."""
    return _APART.get(micros) or moment_at(micros)


def numbered_zoned_moment(micros: int) -> AnyMoment:
    """Returns the timestamptz that a stored number is."""
    return _APART.get(micros) or moment_at(micros, datetime.UTC)


def _infinity(count: int) -> int:
    return INFINITE if count > 0 else -INFINITE
