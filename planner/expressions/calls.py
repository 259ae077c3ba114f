"""Building calls: overloads resolved, arguments cast, result typed; what operators and functions share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.numerics import fits_decimal, parse_numeric
from model.types.range_types import ranged, subtype_of
from model.types.scalar_type import (
    FLOAT4,
    FLOAT8,
    JSON,
    JSONB,
    NUMERIC,
    REGISTERED,
    TEXT,
    UNKNOWN,
    WIDE,
    ScalarType,
    TypeName,
    array_of,
    bare_text,
    type_within,
    without_modifiers,
)
from planner.functions.casts.compared import compared, compares_times
from planner.functions.numbers.shown_scales import with_shown_scale
from planner.functions.numbers.wide import narrowed, twin_key, widened
from planner.functions.registry import FUNCTIONS
from planner.functions.rows import ANYARRAY
from planner.functions.signature import AggregateFunction, CastContext, Function, TableFunction
from planner.functions.system.names_written import NAMES_WRITTEN, numbers_within, with_names
from planner.ir.scalar import Call, Literal, Scalar, SessionName, scalar_type
from planner.scope.analysis import Analysis
from planner.types.categories import category, polymorphic
from planner.types.coercion import as_wide, coerce
from planner.types.comparability import check_elements
from planner.types.function_table import operators, syntax_rows
from planner.types.resolution import Ambiguous, Candidate, candidates_for, resolve, settle_polymorphic
from planner.types.session_arguments import call_of

_COMPARISONS = frozenset(("=", "<>", "<", "<=", ">", ">="))
_WRITTEN = (TEXT, JSON, JSONB)
_ALIKE = "anycompatible"
"""What the names of the polymorphic types begin with that stand for a type to which all their values can be cast."""
Chosen = TypeVar("Chosen", Function, AggregateFunction)
_CASTS_HINT = "You might need to add explicit type casts."


def type_list(types: Sequence[ScalarType]) -> str:
    return ", ".join(bare_text(type_) for type_ in types)


def cast_arguments(
    analysis: Analysis,
    declared: Sequence[ScalarType],
    arguments: Sequence[Scalar],
    locations: Sequence[int],
) -> tuple[Scalar, ...]:
    """Returns the arguments as the chosen overload takes them, polymorphic types settled."""
    arguments = _alike(analysis, declared, arguments, locations)
    types = [scalar_type(argument) for argument in arguments]
    if any(polymorphic(wanted) or wanted.name is TypeName.ANY for wanted in declared):
        _require_known_type(declared, types)
        settled = settle_polymorphic(declared, types)
        assert settled is not None, "resolution settled the types before"
        if UNKNOWN in types:
            _refuse_arrays_of_arrays(settled)
        declared = settled
    cast: list[Scalar] = []
    for argument, wanted, location in zip(arguments, declared, locations, strict=True):
        source = scalar_type(argument)
        if source.member is not None and without_modifiers(source) == without_modifiers(wanted):
            cast.append(argument)
            continue
        context = CastContext.ASSIGNMENT if source.name is TypeName.WIDE else CastContext.IMPLICIT
        value = coerce(analysis, argument, wanted, context, location)
        if value is None and scalar_type(argument).name in (TypeName.INT2VECTOR, TypeName.OIDVECTOR):
            value = argument
        if value is None and wanted.name is TypeName.RECORD:
            raise NotSupported("a call with records of different shapes")
        assert value is not None, f"resolution chose {wanted} for {scalar_type(argument)}"
        cast.append(value)
    return tuple(cast)


def _alike(
    analysis: Analysis, declared: Sequence[ScalarType], arguments: Sequence[Scalar], locations: Sequence[int]
) -> Sequence[Scalar]:
    """Makes numerics wide beside a wide one, where a polymorphic function takes both; beside ranges of decimals the
    wide one becomes a decimal."""
    if not any(map(is_wide, arguments)) or not any(map(polymorphic, declared)):
        return arguments
    types = [scalar_type(argument) for argument in arguments]
    parts = {subtype_of(type_).name for type_ in types if ranged(type_)}
    source, target = (WIDE, NUMERIC) if TypeName.NUMERIC in parts else (NUMERIC, WIDE)
    alike = []
    for argument, location in zip(arguments, locations, strict=True):
        changed = scalar_type(argument).name is source.name
        value = coerce(analysis, argument, target, CastContext.ASSIGNMENT, location) if changed else argument
        assert value is not None, "each numeric has a cast to the other"
        alike.append(value)
    return alike


def is_wide(argument: Scalar) -> bool:
    """Tells whether an argument is a numeric of any precision."""
    return scalar_type(argument).name is TypeName.WIDE


def _reads_wide(argument: Scalar, wanted: ScalarType) -> bool:
    """Tells whether a text that becomes a numeric is one that no decimal holds: `n < 'NaN'`."""
    if wanted != NUMERIC or not isinstance(argument, Literal) or argument.type != UNKNOWN:
        return False
    try:
        return isinstance(argument.value, str) and not fits_decimal(parse_numeric(argument.value))
    except SqlError:
        return False


def twin_of(
    candidate: Candidate[Chosen], table: Mapping[str, Chosen], arguments: Sequence[Scalar]
) -> Candidate[Chosen]:
    """Returns the overload for wide numerics in place of the one for numerics, where an argument is wide."""
    given = zip(arguments, candidate.declared)
    wide = any(is_wide(argument) or _reads_wide(argument, wanted) for argument, wanted in given)
    twin = table.get(twin_key(candidate.overload.key)) if wide else None
    if twin is None or NUMERIC not in candidate.declared:
        return candidate
    return Candidate(twin, tuple(map(widened, candidate.declared)), candidate.spread)


def _require_known_type(declared: Sequence[ScalarType], types: Sequence[ScalarType]) -> None:
    """Raises 42804 where nothing determines the type of anyelement and anyarray; anycompatible is text then."""
    settling = [at for at, wanted in enumerate(declared) if polymorphic(wanted) and not wanted.name.startswith(_ALIKE)]
    if settling and all(types[at] == UNKNOWN for at in settling):
        message = "could not determine polymorphic type because input has type unknown"
        raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)


def _refuse_arrays_of_arrays(settled: Sequence[ScalarType]) -> None:
    """Raises 42704 for a literal without a type beside an array that is to be its element."""
    for type_ in settled:
        if type_.element is not None and type_.element.element is not None:
            message = f"could not find array type for data type {bare_text(type_.element)}"
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, message)


def not_unique(analysis: Analysis, name: str, shown: str, location: int) -> SqlError:
    """Returns 42725 for a call with arguments of the types `shown` that several overloads take, none of them best."""
    hint = f"Could not choose a best candidate function. {_CASTS_HINT}"
    return analysis.error(Sqlstate.AMBIGUOUS_FUNCTION, f"function {name}({shown}) is not unique", location, hint=hint)


def call_function(
    analysis: Analysis,
    candidate: Candidate[Function],
    arguments: Sequence[Scalar],
    locations: Sequence[int],
) -> Call:
    """Plans a call of the overload that resolution chose."""
    candidate = twin_of(candidate, FUNCTIONS, arguments)
    function = candidate.overload
    cast = list(cast_arguments(analysis, candidate.declared, arguments, locations))
    cast = list(held_by_result(candidate, cast))
    if compares_times(function.key):
        cast = [compared(value, given) for value, given in zip(cast, arguments, strict=True)]
    names_written = with_names_written(analysis, function, with_vectors(function, cast, arguments), locations)
    result = with_shown_scale(function.key, cast, result_type(function, cast))
    return call_of(function, names_written, result)


def held_by_result(
    candidate: Candidate[Function] | Candidate[AggregateFunction], arguments: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    """Returns the arguments, with wide numerics where they go into an array that the call makes."""
    result = candidate.overload.result
    if not callable(result) or not any(map(polymorphic, candidate.declared)):
        return tuple(arguments)
    made = result(tuple(scalar_type(argument) for argument in arguments)).element
    if made is None or type_within(made.plain()) == made.plain():
        return tuple(arguments)
    return tuple(
        as_wide(argument) if polymorphic(wanted) else argument
        for argument, wanted in zip(arguments, candidate.declared, strict=True)
    )


def with_vectors(
    function: Function | TableFunction, cast: Sequence[Scalar], given: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    """Returns the arguments with vectors as they were given, for a function that asks for the actual types: it counts a
    vector's places from 0, which the cast to an array forgets."""
    if not function.typed:
        return tuple(cast)
    vectors = (TypeName.INT2VECTOR, TypeName.OIDVECTOR)
    return tuple(own if scalar_type(own).name in vectors else value for value, own in zip(cast, given, strict=True))


def with_names_written(
    analysis: Analysis, function: Function | AggregateFunction, arguments: Sequence[Scalar], locations: Sequence[int]
) -> tuple[Scalar, ...]:
    """Replaces arguments that number objects by their names, for functions that write any value as text; only
    arguments with such values ask the catalog."""
    if not (function.typed and SessionName.OUTPUT_STYLE in function.session and function.result in _WRITTEN):
        return tuple(arguments)
    written = list(arguments)
    for at, (argument, location) in enumerate(zip(arguments, locations, strict=True)):
        if scalar_type(argument).name in REGISTERED:
            name = coerce(analysis, argument, TEXT, CastContext.EXPLICIT, location)
            assert name is not None, "each of them has a cast to text"
            written[at] = name
        elif numbers_within(scalar_type(argument)):
            written[at] = Call(NAMES_WRITTEN.key, (argument,), with_names(scalar_type(argument)))
    return tuple(written)


def result_type(function: Function, arguments: Sequence[Scalar]) -> ScalarType:
    """Returns a function's result type: an array that a function makes has elements of no modifier, whatever its
    arguments' have."""
    if not callable(function.result):
        return function.result
    type_ = function.result(tuple(scalar_type(argument) for argument in arguments))
    return type_ if type_.element is None else array_of(type_.element.plain())


def call_operator(
    analysis: Analysis, symbol: str, arguments: Sequence[Scalar], location: int, locations: Sequence[int]
) -> Call:
    """Calls `left op right`, or `op right`; raises 42883 when no operator fits."""
    types = [scalar_type(argument) for argument in arguments]
    try:
        candidate = _resolve_operator(symbol, tuple(narrowed(type_.plain()) for type_ in types))
    except Ambiguous:
        message = f"operator is not unique: {_shown(symbol, types)}"
        hint = f"Could not choose a best candidate operator. {_CASTS_HINT}"
        raise analysis.error(Sqlstate.AMBIGUOUS_FUNCTION, message, location, hint=hint) from None
    if candidate is None:
        raise missing_operator(analysis, symbol, types, location)
    if symbol in _COMPARISONS and candidate.declared[0] == ANYARRAY:
        array = next(type_ for type_ in types if type_ != UNKNOWN)
        check_elements(analysis, array, equality=symbol in ("=", "<>"))
    return call_function(analysis, candidate, arguments, locations)


@lru_cache(maxsize=4096)
def _resolve_operator(symbol: str, types: tuple[ScalarType, ...]) -> Candidate[Function] | None:
    plain = list(types)
    candidates = candidates_for(operators(symbol, len(plain)), len(plain))
    if len(plain) == 2:
        assumed = _assume_same(plain)
        for candidate in candidates:
            if list(candidate.declared) == assumed:
                return candidate
        plain = _widen_float4(plain)
    return resolve(candidates, plain)


def _assume_same(types: list[ScalarType]) -> list[ScalarType]:
    """Takes an unknown operand to be of the other's type, at first."""
    left, right = types
    if left == UNKNOWN != right:
        return [right, right]
    if right == UNKNOWN != left:
        return [left, left]
    return types


def _widen_float4(types: list[ScalarType]) -> list[ScalarType]:
    """Widens float4 beside other numbers: PostgreSQL has mixed operators of float4 with float8, which win over
    float4's own."""
    left, right = types
    if left == FLOAT4 and right not in (FLOAT4, UNKNOWN) and category(right) == "N":
        return [FLOAT8, right]
    if right == FLOAT4 and left not in (FLOAT4, UNKNOWN) and category(left) == "N":
        return [left, FLOAT8]
    return types


def _shown(symbol: str, types: Sequence[ScalarType]) -> str:
    names = [bare_text(type_) for type_ in types]
    return f"{names[0]} {symbol} {names[1]}" if len(names) == 2 else f"{symbol} {names[0]}"


def missing_operator(analysis: Analysis, symbol: str, types: Sequence[ScalarType], location: int) -> SqlError:
    if len(types) == 2:
        hint = f"No operator matches the given name and argument types. {_CASTS_HINT}"
    else:
        hint = "No operator matches the given name and argument type. You might need to add an explicit type cast."
    return analysis.error(
        Sqlstate.UNDEFINED_FUNCTION, f"operator does not exist: {_shown(symbol, types)}", location, hint=hint
    )


def call_syntax(analysis: Analysis, word: str, arguments: Sequence[Scalar], location: int) -> Call:
    """Returns a construct that only the grammar writes, by its word in the function table."""
    types = [scalar_type(argument) for argument in arguments]
    candidate = resolve(candidates_for(syntax_rows(word), len(arguments)), types)
    if candidate is None:
        message = f"could not find a form of {word} for {type_list(types)}"
        raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, location)
    return call_function(analysis, candidate, arguments, [location] * len(arguments))


def aggregate_word(node: Any, name: str) -> str | None:
    """Returns what a call is written with that only aggregates take, in PostgreSQL's words; None for a plain call."""
    found = (
        (f"{name}(*)", node.agg_star),
        ("DISTINCT", node.agg_distinct),
        ("WITHIN GROUP", node.agg_within_group),
        ("ORDER BY", bool(node.agg_order)),
        ("FILTER", node.HasField("agg_filter")),
    )
    return next((word for word, present in found if present), None)
