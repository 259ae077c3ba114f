"""IN a long list of constants: Python's workers look each row up in a set, whose size Spark's planner never sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from compute.scalars.python_worker import evaluated_flags
from model.order.datum_order import sort_key
from model.types.arrays import items_of
from model.types.datum import Datum, ShapedArray
from model.types.scalar_type import ScalarType, TypeName
from planner.ir.scalar import ArrayOf, Literal, QuantifiedArray, Quantifier, Scalar, scalar_type

MEMBERS_MIN = 256
"""Fewer constants are compared one after the other in Spark."""


def members_of(scalar: QuantifiedArray) -> tuple[Datum, ...] | None:
    """Returns the constants, where `= ANY` asks for one of many, and equal values have equal keys; else None."""
    if scalar.quantifier is not Quantifier.ANY or not scalar.comparison.startswith("eq_"):
        return None
    element = scalar_type(scalar.array).element
    if element is None or element.name is TypeName.BPCHAR or element.member or element.element or element.fields:
        return None
    items = _constants(scalar.array)
    return items if items is not None and len(items) >= MEMBERS_MIN else None


def _constants(array: Scalar) -> tuple[Datum, ...] | None:
    match array:
        case Literal(tuple() | ShapedArray() as value):
            return items_of(value)
        case ArrayOf(elements):
            items = tuple(each.value for each in elements if isinstance(each, Literal))
            return items if len(items) == len(elements) else None
        case _:
            return None


@dataclass(frozen=True)
class MemberWorker:
    """Tests membership in a list of constants. Lists are equal when written alike."""

    items: tuple[Datum, ...] = field(compare=False)
    type: ScalarType
    text: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", repr(self.items))

    @cached_property
    def _evaluate(self) -> Callable[[Datum], bool | None]:
        key = sort_key(self.type)
        known = frozenset(key(item) for item in self.items if item is not None)
        otherwise = None if None in self.items else False

        def evaluate(value: Datum) -> bool | None:
            if value is None:
                return None
            return True if key(value) in known else otherwise

        return evaluate

    def __call__(self, *columns: pa.Array) -> pa.Array:
        return evaluated_flags(columns, (self.type,), self._evaluate)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_") and name != "text"}
