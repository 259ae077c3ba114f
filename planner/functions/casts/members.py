"""Lists and maps whose members are cast, and arrays as lists and lists as arrays."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from model.errors.sql_error import NotSupported
from model.text.modifiers import apply_modifier
from model.types.datum import ShapedArray
from model.types.scalar_type import ScalarType, TypeName
from planner.functions.casts.table import find_cast
from planner.functions.rows import ANY, syntax
from planner.functions.signature import Function, Volatility

Types = tuple[ScalarType, ...]
_Convert = Callable[[Any], Any]
_ALIKE = (
    (TypeName.LIST, TypeName.LIST),
    (TypeName.MAP, TypeName.MAP),
    (TypeName.ARRAY, TypeName.LIST),
    (TypeName.LIST, TypeName.ARRAY),
)


def by_members(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether a value of one type is cast to the other member by member."""
    return (source.name, target.name) in _ALIKE


def castable(source: ScalarType, target: ScalarType) -> bool:
    """Tells whether the casts of the members depend on nothing but the members."""
    return _converter(source, target) is not None


@lru_cache(maxsize=1024)
def _converter(source: ScalarType, target: ScalarType) -> _Convert | None:
    if by_members(source, target):
        inner = _converter(member_of(source), member_of(target))
        return None if inner is None else _each(inner, source.name)
    convert = _plain_converter(source.plain(), target.plain())
    if convert is None or target.modifier < 0:
        return convert
    return lambda value: apply_modifier(convert(value), target, explicit=False)


def _plain_converter(source: ScalarType, target: ScalarType) -> _Convert | None:
    if source == target:
        return lambda value: value
    cast = find_cast(source, target)
    if cast is None or cast.function.volatility is not Volatility.IMMUTABLE or cast.function.needs_system:
        return None
    # Texts of floats and bytea are those of the default settings.
    evaluate = cast.function.evaluate
    return (lambda value: evaluate((source,), value)) if cast.function.typed else evaluate


def member_of(type_: ScalarType) -> ScalarType:
    """Returns the type of a list's or an array's items, or of a map's values."""
    member = type_.element or type_.member
    assert member is not None
    return member


def _each(convert: _Convert, name: TypeName) -> _Convert:
    def one(value: Any) -> Any:
        return None if value is None else convert(value)

    def items(value: Any) -> Any:
        if isinstance(value, ShapedArray):
            raise NotSupported("an array of several dimensions, or not from 1 on, as a list")
        return tuple(map(one, value))

    return items if name is not TypeName.MAP else lambda pairs: tuple((key, one(value)) for key, value in pairs)


def _convert(types: Types, value: Any, sample: None) -> Any:
    """Converts the value to the sample's type."""
    if value is None:
        return None
    convert = _converter(types[0], types[1])
    assert convert is not None, "the planner has asked before"
    return convert(value)


MEMBERS_AS = syntax("members_as", (ANY, ANY), lambda types: types[1], _convert, strict=False, typed=True, fallible=True)
FUNCTIONS: tuple[Function, ...] = (MEMBERS_AS,)
