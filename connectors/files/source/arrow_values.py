"""Converts Arrow's values of any type to the types that columns have. Pure.

Views, dictionaries and extensions only store values in another way. Fractions of a microsecond are rounded, as
PostgreSQL rounds its input; a duration becomes text, as PostgreSQL writes an interval.
"""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_NANO = 1_000
_OF_UNIT = {"s": 1_000_000, "ms": 1_000, "us": 1}
"""Microseconds."""
_MINUTE_S, _HOUR_S, _SECOND_US = 60, 3_600, 1_000_000


def told_type(type_: pa.DataType) -> pa.DataType:
    """Returns the plain type with the same values as a view, dictionary or extension type."""
    types = pa.types
    if types.is_dictionary(type_):
        return told_type(type_.value_type)
    if isinstance(type_, pa.UuidType):
        return pa.string()
    if isinstance(type_, pa.Bool8Type):
        return pa.bool_()
    if isinstance(type_, pa.BaseExtensionType):
        return told_type(type_.storage_type)
    if types.is_string_view(type_):
        return pa.large_string()
    if types.is_binary_view(type_):
        return pa.large_binary()
    if types.is_timestamp(type_) and type_.unit == "ns":
        return pa.timestamp("us", type_.tz)
    if types.is_time64(type_):
        return pa.time64("us")
    return type_


def told_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Returns the values in the type that `told_type` returns."""
    type_ = told_type(column.type)
    if type_ == column.type:
        return column
    return pa.chunked_array([_told(chunk, type_) for chunk in column.chunks], type_)


def _told(values: pa.Array, type_: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(values.type):
        return _told(values.dictionary_decode(), type_)
    if values.type == type_:
        return values
    if isinstance(values.type, pa.UuidType):
        return pa.array([None if value is None else str(value) for value in values.to_pylist()], type_)
    if isinstance(values, pa.ExtensionArray) and not isinstance(values.type, pa.Bool8Type):
        return _told(values.storage, type_)
    if pa.types.is_temporal(values.type):
        return _rounded(values.cast(pa.int64())).cast(type_)
    return values.cast(type_)


def _rounded(nanoseconds: pa.Array) -> pa.Array:
    """Rounds nanoseconds to microseconds, halves to even."""
    held = nanoseconds.fill_null(0).to_numpy(zero_copy_only=False)
    whole, rest = np.divmod(held, _NANO)
    up = (rest * 2 > _NANO) | ((rest * 2 == _NANO) & (whole % 2 == 1))
    return pc.if_else(nanoseconds.is_valid(), pa.array(whole + up, pa.int64()), pa.scalar(None, pa.int64()))


def texts_of(column: pa.ChunkedArray) -> pa.Array:
    """Returns values of a type that no column has as texts."""
    type_ = column.type
    if pa.types.is_duration(type_):
        numbers = pa.chunked_array([chunk.cast(pa.int64()) for chunk in column.chunks], pa.int64())
        if type_.unit == "ns":
            numbers = pa.chunked_array([_rounded(chunk) for chunk in numbers.chunks], pa.int64())
        each = _OF_UNIT.get(type_.unit, 1)
        texts = (None if number is None else duration_text(number * each) for number in numbers.to_pylist())
    else:
        texts = (None if value is None else text_of(value) for value in column.to_pylist())
    return pa.array(texts, pa.string())


def duration_text(microseconds: int) -> str:
    """Writes a duration as PostgreSQL writes an interval of hours and less: 26:00:00.5."""
    seconds, fraction = divmod(abs(microseconds), _SECOND_US)
    minutes, seconds = divmod(seconds, _MINUTE_S)
    hours, minutes = divmod(minutes, _HOUR_S // _MINUTE_S)
    text = f"{'-' if microseconds < 0 else ''}{hours:02}:{minutes:02}:{seconds:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text


def text_of(value: Any) -> str:
    """Writes a plain value that JSON has no kind for as text."""
    match value:
        case bytes():
            return "\\x" + value.hex()
        case datetime.timedelta():
            return duration_text(value // datetime.timedelta(microseconds=1))
        case bool():
            return "true" if value else "false"
        case _ if hasattr(value, "as_tuple"):
            return format(value, "f")
        case _:
            return str(value)


def json_value(value: Any) -> Any:
    """Returns a nested value as JSON has it; a value that JSON has no kind for becomes text, and so do NaN and
    infinity."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value).replace("inf", "Infinity").replace("nan", "NaN")
        case dict():
            return {key: json_value(each) for key, each in value.items()}
        case list() | tuple():
            return [json_value(each) for each in value]
        case _:
            return text_of(value)
