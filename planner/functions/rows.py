"""Helpers for the tables of functions. Keys are made here, and only here (the lowering relies on their form)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from model.types.scalar_type import INT2, OID, ScalarType, TypeName
from planner.functions.signature import AggregateFunction, Function, ResultType, Volatility
from planner.ir.scalar import SessionName

ANY = ScalarType(TypeName.ANY)
ANYELEMENT = ScalarType(TypeName.ANYELEMENT)
ANYARRAY = ScalarType(TypeName.ANYARRAY)
ANYNONARRAY = ScalarType(TypeName.ANYNONARRAY)
ANYENUM = ScalarType(TypeName.ANYENUM)
ANYRANGE = ScalarType(TypeName.ANYRANGE)
ANYMULTIRANGE = ScalarType(TypeName.ANYMULTIRANGE)
ANYCOMPATIBLE = ScalarType(TypeName.ANYCOMPATIBLE)
ANYCOMPATIBLEARRAY = ScalarType(TypeName.ANYCOMPATIBLEARRAY)
ANYCOMPATIBLELIST = ScalarType(TypeName.ANYCOMPATIBLELIST)
ANYCOMPATIBLEMAP = ScalarType(TypeName.ANYCOMPATIBLEMAP)


class Options(TypedDict, total=False):
    """The fields of Function that rows seldom set."""

    strict: bool
    fallible: bool
    volatility: Volatility
    variadic: bool
    session: tuple[SessionName, ...]
    typed: bool
    needs_system: bool


def type_key(type_: ScalarType) -> str:
    """Returns pg_type.typname: an array's is its element's behind an underscore."""
    if type_.name is TypeName.ARRAY:
        assert type_.element is not None
        return "_" + type_key(type_.element)
    return type_.name.value


def key_of(word: str, arguments: Sequence[ScalarType]) -> str:
    """Returns the key `word_type_type`."""
    return "_".join([word, *map(type_key, arguments)])


def function(
    name: str,
    arguments: tuple[ScalarType, ...],
    result: ResultType,
    evaluate: Callable[..., Any],
    **options: Unpack[Options],
) -> Function:
    """Declares a function that is called by its name."""
    return Function(key_of(name, arguments), name, arguments, result, evaluate, form="function", **options)


def operator(
    symbol: str,
    word: str,
    arguments: tuple[ScalarType, ...],
    result: ResultType,
    evaluate: Callable[..., Any],
    **options: Unpack[Options],
) -> Function:
    """Declares an operator; with one argument it is a prefix operator."""
    return Function(key_of(word, arguments), symbol, arguments, result, evaluate, form="operator", **options)


_WHOLE = "whole_"


def with_whole(row: Function, evaluate: Callable[..., Any]) -> tuple[Function, Function]:
    """Returns a function whose results are rounded as collections hold numerics, and the one whose results are not,
    which plans call where no collection is read (planner.rules.keep_decimals)."""
    return row, replace(row, key=whole_key(row.key), evaluate=evaluate, form="modifier")


def whole_aggregate(
    row: AggregateFunction, evaluate: Callable[..., Any]
) -> tuple[AggregateFunction, AggregateFunction]:
    """Returns an aggregate as `with_whole` does a function."""
    return row, replace(row, key=whole_key(row.key), name="", evaluate=evaluate)


def whole_key(key: str) -> str:
    """Returns the key of the function, or the aggregate, whose results are not rounded as collections hold them."""
    return _WHOLE + key


def syntax(
    word: str,
    arguments: tuple[ScalarType, ...],
    result: ResultType,
    evaluate: Callable[..., Any],
    **options: Unpack[Options],
) -> Function:
    """Declares a function that only the grammar can call, found by its key."""
    return Function(key_of(word, arguments), word, arguments, result, evaluate, form="syntax", **options)


def first_type(types: tuple[ScalarType, ...]) -> ScalarType:
    """Returns the type of the first argument, as a result type."""
    return types[0]


_VECTORS = {TypeName.INT2VECTOR: INT2, TypeName.OIDVECTOR: OID}


def element_of(type_: ScalarType) -> ScalarType:
    """Returns the type of an array's elements; int2vector and oidvector are arrays too."""
    if type_.name in _VECTORS:
        return _VECTORS[type_.name]
    assert type_.element is not None
    return type_.element


def lower_bound(type_: ScalarType) -> int:
    """Returns the subscript of the first element: 1, but 0 in vectors."""
    return 0 if type_.name in _VECTORS else 1


def element_of_first(types: tuple[ScalarType, ...]) -> ScalarType:
    """Returns a result type: that of the first argument's elements."""
    return element_of(types[0])
