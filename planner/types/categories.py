"""Type categories and preferred types (pg_type.typcategory and typispreferred): what overload resolution prefers."""

from __future__ import annotations

from collections.abc import Sequence

from model.types.scalar_type import INT2, INT4, INT8, NUMERIC, UINT2, UINT4, UINT8, ScalarType, TypeName
from model.types.type_table import TYPES

_POLYMORPHIC = frozenset(
    (
        TypeName.ANYARRAY,
        TypeName.ANYELEMENT,
        TypeName.ANYNONARRAY,
        TypeName.ANYENUM,
        TypeName.ANYRANGE,
        TypeName.ANYMULTIRANGE,
        TypeName.ANYCOMPATIBLE,
        TypeName.ANYCOMPATIBLEARRAY,
        TypeName.ANYCOMPATIBLELIST,
        TypeName.ANYCOMPATIBLEMAP,
    )
)
STRING = "S"


def category(type_: ScalarType) -> str:
    """Returns a type's category, one letter; U for types of no category."""
    return "C" if type_.composite is not None else TYPES[type_.name].category


def preferred(type_: ScalarType) -> bool:
    return TYPES[type_.name].preferred


def polymorphic(type_: ScalarType) -> bool:
    return type_.name in _POLYMORPHIC


_SIGNED = {INT2: 16, INT4: 32, INT8: 64}
_UNSIGNED = {UINT2: 16, UINT4: 32, UINT8: 64}


def holding_both(types: Sequence[ScalarType]) -> ScalarType | None:
    """Returns the least type that holds all unsigned and all signed integers among `types`, as Materialize has it; None
    unless there are both, and nothing else. PostgreSQL, which knows no unsigned integers, would choose float8."""
    unsigned = [_UNSIGNED[type_] for type_ in types if type_ in _UNSIGNED]
    signed = [_SIGNED[type_] for type_ in types if type_ in _SIGNED]
    if not unsigned or not signed or len(unsigned) + len(signed) < len(types):
        return None
    bits = max(2 * max(unsigned), *signed)
    return {32: INT4, 64: INT8}.get(bits, NUMERIC)
