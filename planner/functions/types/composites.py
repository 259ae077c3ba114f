"""Fields of records: the planner writes the calls, with the types of the fields that it knows."""

from __future__ import annotations

from typing import Any

from model.types.scalar_type import INT4, RECORD, ScalarType
from planner.functions.rows import syntax
from planner.functions.signature import Function


def _field_type(types: tuple[ScalarType, ...]) -> ScalarType:
    """Returns the type of a field, which the call itself gives."""
    return types[0]


def _field(record: tuple[Any, ...], at: int) -> Any:
    return record[at]


FIELD = syntax("field", (RECORD, INT4), _field_type, _field)
FUNCTIONS: tuple[Function, ...] = (FIELD,)
