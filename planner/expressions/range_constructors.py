"""Calls of the constructors that a user's range type and its multirange type have, by the names of the types.

CREATE TYPE span AS RANGE (SUBTYPE = float8)
span(1, 2), span(1, 2, '[]'), span_multirange(span(1, 2), span(3, 4)), span_multirange(VARIADIC array)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.names import type_named
from model.types.range_types import range_in, subtype_of
from model.types.scalar_type import TEXT, ScalarType, TypeName, array_of
from planner.expressions.calls import cast_arguments, type_list
from planner.expressions.named_arguments import plan_arguments
from planner.expressions.planner import Expressions
from planner.functions.collections.range_functions import (
    MAKE_MULTIRANGE,
    MAKE_MULTIRANGE_OF_ARRAY,
    MAKE_RANGE,
    MAKE_RANGE_BY_FLAGS,
)
from planner.ir.scalar import Call, Literal, Scalar, scalar_type
from planner.scope.names import strings
from planner.types.function_table import functions_named, table_functions_named
from planner.types.resolution import candidates_for, resolve


@dataclass(frozen=True, slots=True)
class _Constructor:
    key: str
    arguments: tuple[ScalarType, ...]
    variadic: bool = False


def call_range_constructor(expressions: Expressions, node: Any) -> Scalar | None:
    """Returns the range or multirange that a call makes; None where the name is not that of a user's range type. Raises
    SqlError 42883 for arguments that no constructor takes."""
    type_ = _ranges_named(expressions, node)
    if type_ is None:
        return None
    name = ".".join(strings(node.funcname))
    arguments, locations = plan_arguments(expressions, name, node.args)
    types = [scalar_type(argument) for argument in arguments]
    candidate = resolve(candidates_for(_constructors(type_, node.func_variadic), len(arguments)), types)
    if candidate is None:
        raise _missing(expressions, name, types, node.location)
    if not arguments:
        return Literal((), type_)
    cast = cast_arguments(expressions.analysis, candidate.declared, arguments, locations)
    return Call(candidate.overload.key, (Literal(None, type_), *cast), type_)


def _ranges_named(expressions: Expressions, node: Any) -> ScalarType | None:
    """Returns the user's range type of a name that is no function of the system's; notes that the statement depends on
    it."""
    analysis, parts = expressions.analysis, strings(node.funcname)
    context = analysis.context
    if len(parts) == 1 and (functions_named(parts[0]) or table_functions_named(parts[0]) or type_named(parts[0])):
        return None
    item = context.catalog.resolve_type(parts, context.search_path, context.database)
    if item is None or item.type is None or item.type.range is None or item.type.domain is not None:
        return None
    analysis.depends_on.add(item.id)
    analysis.used_items[node.location, len(parts)] = item
    return item.type


def _constructors(type_: ScalarType, as_array: bool) -> Sequence[_Constructor]:
    if type_.name is TypeName.RANGE:
        bounds = (subtype_of(type_), subtype_of(type_))
        both = (_Constructor(MAKE_RANGE.key, bounds), _Constructor(MAKE_RANGE_BY_FLAGS.key, (*bounds, TEXT)))
        return () if as_array else both
    range_ = range_in(type_)
    if as_array:
        return (_Constructor(MAKE_MULTIRANGE_OF_ARRAY.key, (array_of(range_),)),)
    return (_Constructor(MAKE_MULTIRANGE.key, ()), _Constructor(MAKE_MULTIRANGE.key, (range_,), True))


def _missing(expressions: Expressions, name: str, types: Sequence[ScalarType], location: int) -> SqlError:
    hint = "No function matches the given name and argument types. You might need to add explicit type casts."
    message = f"function {name}({type_list(types)}) does not exist"
    return expressions.analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, location, hint=hint)
