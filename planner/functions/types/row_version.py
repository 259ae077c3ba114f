"""A number that tells versions of a row apart: what the system column xmin shows.

The row's values decide it, whoever computes it, wherever: they are written in one form, without settings, whose CRC is
the number. A change within four neighbouring bytes of that form is never missed; of other changes one in four thousand
million is.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import zlib
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.integers import OFFSET_BITS, place_of
from model.text.numerics import EXACT
from model.types.scalar_type import INT8, TID, XID
from planner.functions.rows import ANY, syntax
from planner.functions.signature import Function

_FIRST = 3
"""PostgreSQL's first number of an ordinary transaction."""


def _written(value: Any) -> str:
    """Returns the form of a value in which equal values are equal, with whatever decimals or zone they come."""
    match value:
        case decimal.Decimal():
            return format(value.normalize(EXACT), "f") if value.is_finite() else str(value)
        case datetime.datetime():
            return value.replace(tzinfo=None).isoformat()
        case tuple():
            return f"({','.join(map(_written, value))})"
        case _ if dataclasses.is_dataclass(value) and not isinstance(value, type):
            parts = (getattr(value, field.name) for field in dataclasses.fields(value))
            return f"{type(value).__name__}({','.join(map(_written, parts))})"
        case _:
            return repr(value)


def _version(*values: Any) -> int:
    return _FIRST + zlib.crc32("\n".join(map(_written, values)).encode("utf-8", "surrogatepass")) % (2**32 - _FIRST)


ROW_VERSION = syntax("row_version", (ANY,), XID, _version, strict=False, variadic=True)


def _place(version: int, number: int) -> int:
    if number >= 1 << OFFSET_BITS:
        message = "ctid can tell at most 65535 equal rows apart"
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message, hint="Add a column that tells them apart.")
    return place_of(version, number)


ROW_PLACE = syntax("row_place", (XID, INT8), TID, _place, fallible=True)
"""The place of a row among those of its version: what the system column ctid shows."""
FUNCTIONS: tuple[Function, ...] = (ROW_VERSION, ROW_PLACE)
