"""The function table as name resolution asks it: rows by SQL name, casts by pair of types."""

from __future__ import annotations

from functools import lru_cache

from model.types.scalar_type import BOOL, INT4, ScalarType
from planner.functions import registry
from planner.functions.casts.table import find_cast
from planner.functions.rows import key_of
from planner.functions.signature import AggregateFunction, Cast, Function, TableFunction, WindowFunction
from planner.ir.scalar import Literal, Scalar


@lru_cache(maxsize=4096)
def functions_named(name: str) -> tuple[Function, ...]:
    """Functions called by name, not operators."""
    return registry.functions_named(name)


@lru_cache(maxsize=1024)
def operators(symbol: str, arity: int) -> tuple[Function, ...]:
    return tuple(row for row in registry.functions_named(symbol, "operator") if len(row.arguments) == arity)


@lru_cache(maxsize=256)
def syntax_rows(word: str) -> tuple[Function, ...]:
    """Returns the functions with a word that only the grammar can call: `is_null`, `distinct`, `greatest` …"""
    return registry.functions_named(word, "syntax")


@lru_cache(maxsize=4096)
def aggregates_named(name: str) -> tuple[AggregateFunction, ...]:
    return registry.aggregates_named(name)


@lru_cache(maxsize=4096)
def table_functions_named(name: str) -> tuple[TableFunction, ...]:
    return registry.table_functions_named(name)


@lru_cache(maxsize=1024)
def window_functions_named(name: str) -> tuple[WindowFunction, ...]:
    return registry.window_functions_named(name)


@lru_cache(maxsize=8192)
def cast_between(source: ScalarType, target: ScalarType) -> Cast | None:
    """Returns the cast between two types without modifiers."""
    return find_cast(source, target)


def modifier_function(target: ScalarType, *, explicit: bool) -> tuple[Function, tuple[Scalar, ...]]:
    """Returns the function that applies a type's modifier to a value, and its arguments after the value."""
    element = target.element
    function = registry.FUNCTIONS[key_of("modify", (target.plain(),))]
    modifier = target.modifier if element is None else element.modifier
    return function, (Literal(modifier, INT4), Literal(explicit, BOOL))
