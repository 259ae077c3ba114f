"""Writes objects' names for regclass and similar values inside other values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from model.text.context import TextContext
from model.text.dispatch import formatter
from model.types.arrays import map_items
from model.types.scalar_type import REGISTERED, TEXT, ScalarType, array_of
from planner.functions.rows import ANY, syntax
from planner.functions.signature import Function, Volatility
from planner.functions.system.lookup import SystemLookup


def numbers_within(type_: ScalarType) -> bool:
    """Tells whether a type contains values that number named objects, without being one itself."""
    parts = (type_.element,) if type_.element is not None else tuple(field for _, field in type_.fields)
    return any(part.name in REGISTERED or numbers_within(part) for part in parts)


def with_names(type_: ScalarType) -> ScalarType:
    """Returns the type with texts in the places of these parts."""
    if type_.name in REGISTERED:
        return TEXT
    if not numbers_within(type_):
        return type_
    if type_.element is not None:
        return array_of(with_names(type_.element))
    return replace(type_, fields=tuple((name, with_names(field)) for name, field in type_.fields), composite=None)


def _writer(type_: ScalarType, system: SystemLookup) -> Callable[[Any], Any]:
    """Returns a function that replaces objects' oids in values of the type by names; NULL stays NULL."""
    if type_.name in REGISTERED:
        write = formatter(type_, TextContext(objects=system.names))
        return lambda value: None if value is None else write(value)
    if not numbers_within(type_):
        return lambda value: value
    if type_.element is not None:
        item = _writer(type_.element, system)
        return lambda value: None if value is None else map_items(item, value)
    fields = [_writer(field, system) for _, field in type_.fields]
    return lambda value: None if value is None else tuple(f(v) for f, v in zip(fields, value, strict=True))


def _names_written(system: SystemLookup, types: tuple[ScalarType, ...], value: Any) -> Any:
    return _writer(types[0], system)(value)


NAMES_WRITTEN = syntax(
    "names_written",
    (ANY,),
    lambda types: with_names(types[0]),
    _names_written,
    typed=True,
    needs_system=True,
    volatility=Volatility.STABLE,
)
FUNCTIONS: tuple[Function, ...] = (NAMES_WRITTEN,)
