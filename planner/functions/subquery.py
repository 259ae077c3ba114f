"""The check that a subquery used as a value, once it has become a join, has at most one row."""

from __future__ import annotations

from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import INT8
from planner.functions.rows import ANYELEMENT, syntax
from planner.functions.signature import Function


def _single_value(rows: int | None, value: Any) -> Any:
    """Returns `value` of a subquery that had `rows` rows; raises 21000 when there were several."""
    if rows is not None and rows > 1:
        raise SqlError(Sqlstate.CARDINALITY_VIOLATION, "more than one row returned by a subquery used as an expression")
    return value


FUNCTIONS: tuple[Function, ...] = (
    syntax("single_value", (INT8, ANYELEMENT), lambda types: types[1], _single_value, strict=False, fallible=True),
)
"""`single_value_int8_anyelement`"""
