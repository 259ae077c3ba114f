"""Equality that takes NULLs for equal, by which the decorrelated plan finds the rows of an outer row again."""

from __future__ import annotations

from model.scalar_type import BOOL, RECORD, TEXT, ScalarType, TypeName
from planner.functions.registry import FUNCTIONS, find_cast
from planner.functions.rows import ANYARRAY, key_of
from planner.ir.scalar import Call, Scalar, scalar_type

_AS_OID = frozenset((TypeName.REGCLASS, TypeName.REGTYPE, TypeName.REGPROC, TypeName.REGNAMESPACE, TypeName.REGROLE))


def same(left: Scalar, right: Scalar) -> Call:
    """Whether two values of one type are the same, NULL being the same as NULL."""
    type_ = scalar_type(left).plain()
    for key_type in _key_types(type_):
        key = key_of("not_distinct", (key_type, key_type))
        if key in FUNCTIONS:
            return Call(key, (left, right), BOOL)
    return same(_cast(left, type_), _cast(right, type_))


def _key_types(type_: ScalarType) -> tuple[ScalarType, ...]:
    match type_.name:
        case TypeName.ARRAY:
            return (ANYARRAY,)
        case TypeName.RECORD:
            return (RECORD,)
        case _:
            return (type_,)


def _cast(value: Scalar, type_: ScalarType) -> Call:
    target = ScalarType(TypeName.OID) if type_.name in _AS_OID else TEXT
    cast = find_cast(type_, target)
    assert cast is not None, f"values of type {type_} can't be compared"
    return Call(cast.function.key, (value,), target)
