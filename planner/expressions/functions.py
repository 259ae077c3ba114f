"""Calls by name: scalar functions, aggregates, set-returning functions, casts written as calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.text.names import type_named
from model.types.scalar_type import INT4, REGTYPE, TEXT, UNKNOWN, ScalarType, TypeName, type_oid, type_text
from planner.expressions.calls import (
    aggregate_word,
    call_function,
    call_syntax,
    cast_arguments,
    not_unique,
    type_list,
    with_vectors,
)
from planner.expressions.columns import field_of
from planner.expressions.grouped.aggregates import plan_aggregate
from planner.expressions.grouped.ordered_sets import HYPOTHETICAL, plan_ordered_set
from planner.expressions.grouped.window_calls import plan_window_call
from planner.expressions.members import constructor_at, plan_constructor
from planner.expressions.named_arguments import plan_arguments
from planner.expressions.planner import ClausePlace, Expressions, handles
from planner.expressions.range_constructors import call_range_constructor
from planner.expressions.session_functions import session_function
from planner.expressions.users.functions import call_users_function
from planner.expressions.variadic import call_with_array
from planner.functions.json.json_records import POPULATED_RECORDS
from planner.functions.session_functions import SESSION_FUNCTIONS
from planner.functions.signature import CastContext, Function, TableFunction
from planner.functions.text.extraction import DESCRIBED_BY_VALUE
from planner.functions.volatility import volatile
from planner.ir.placeholder import Placeholder, TableCallValue
from planner.ir.scalar import (
    Call,
    Column,
    Literal,
    OuterColumn,
    Scalar,
    SessionValue,
    scalar_type,
)
from planner.rules.fold_constants import fold
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.scope.table_call import TableCall
from planner.types.coercion import coerce
from planner.types.domains import checked_inside, retyped
from planner.types.function_table import (
    aggregates_named,
    functions_named,
    table_functions_named,
    window_functions_named,
)
from planner.types.resolution import Ambiguous, Candidate, candidates_for, resolve

_SCHEMAS = frozenset(("pg_catalog", "mz_catalog", "mz_internal", "information_schema"))
_NO_SETS = {
    ClausePlace.WHERE: "WHERE",
    ClausePlace.HAVING: "HAVING",
    ClausePlace.JOIN_ON: "JOIN conditions",
    ClausePlace.FILTER: "FILTER",
    ClausePlace.LIMIT: "LIMIT",
    ClausePlace.OFFSET: "OFFSET",
    ClausePlace.VALUES: "VALUES",
    ClausePlace.RETURNING: "RETURNING",
    ClausePlace.UPDATE: "UPDATE",
    ClausePlace.MERGE_WHEN: "MERGE WHEN conditions",
    ClausePlace.DEFAULT: "DEFAULT expressions",
    ClausePlace.AGGREGATE: "aggregate arguments",
    ClausePlace.WINDOW: "window function arguments",
    ClausePlace.WINDOW_DEFINITION: "window definitions",
    ClausePlace.FRAME_ROWS: "window definitions",
    ClausePlace.FRAME_RANGE: "window definitions",
    ClausePlace.FRAME_GROUPS: "window definitions",
    ClausePlace.EXECUTE: "EXECUTE parameters",
    ClausePlace.CALL: "CALL arguments",
    ClausePlace.AS_OF: "AS OF",
    ClausePlace.INDEX: "index expressions",
    ClausePlace.INDEX_PREDICATE: "index predicates",
    ClausePlace.CHECK: "check constraints",
    ClausePlace.POLICY: "policy expressions",
    ClausePlace.COPY_WHERE: "COPY FROM WHERE conditions",
    ClausePlace.SECRET: "the values of secrets",
}
_MOVE_SET = "You might be able to move the set-returning function into a LATERAL FROM item."


@handles("func_call")
def plan_call(expressions: Expressions, node: Any) -> Scalar:
    node = _without_void(expressions, node)
    members = constructor_at(expressions, node)
    if members is not None:
        return plan_constructor(expressions, node, members)
    called = call_users_function(expressions, node)
    if isinstance(called, TableCall):
        return _set_in_expression(expressions, called, node.location)
    if called is not None:
        return called
    made = call_range_constructor(expressions, node)
    if made is not None:
        return made
    name = function_name(expressions, node)
    if node.func_variadic and (node.HasField("over") or aggregates_named(name)):
        raise expressions.analysis.unsupported("a VARIADIC argument of an aggregate", node.location)
    if node.HasField("over"):
        return plan_window_call(expressions, node, name)
    if node.agg_within_group and (name in HYPOTHETICAL or aggregates_named(name)):
        return plan_ordered_set(expressions, node, name)
    if node.args and name in HYPOTHETICAL:
        message = f"WITHIN GROUP is required for ordered-set aggregate {name}"
        raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    if aggregates_named(name):
        return plan_aggregate(expressions, node, name)
    refuse_aggregate_syntax(expressions, node, name)
    session = session_function(expressions, node, name)
    if session is not None:
        return session
    arguments, locations = plan_arguments(expressions, name, node.args)
    if node.func_variadic:
        call = call_with_array(expressions.analysis, name, arguments, locations)
        if call is None:
            raise _missing(expressions, name, [scalar_type(argument) for argument in arguments], node.location)
        return call
    return call_by_name(expressions, name, arguments, node.location, locations)


def _without_void(expressions: Expressions, node: Any) -> Any:
    """Returns a call without the parameters of type void, with which JDBC stands for what a function gives back."""
    void = [each for each in node.args if _is_void_parameter(each)]
    if not void:
        return node
    for each in void:
        expressions.plan(each)
    called = type(node)()
    called.CopyFrom(node)
    del called.args[:]
    called.args.extend(each for each in node.args if not _is_void_parameter(each))
    return called


def _is_void_parameter(node: Any) -> bool:
    cast = node.type_cast
    return cast.arg.HasField("param_ref") and strings(cast.type_name.names)[-1] == "void"


def function_name(expressions: Expressions, node: Any) -> str:
    """Returns the name without its schema; raises 42883 when the schema has no functions, 0A000 for another
    database's."""
    parts = strings(node.funcname)
    context = expressions.analysis.context
    if len(parts) > 2 and parts[-3] != context.database:
        message = f"cross-database references are not implemented: {'.'.join(parts)}"
        raise expressions.analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, node.location)
    if len(parts) > 1 and parts[-2] not in _SCHEMAS:
        if parts[-2] not in context.catalog.schemas(context.database):
            message = f'schema "{parts[-2]}" does not exist'
            raise expressions.analysis.error(Sqlstate.INVALID_SCHEMA_NAME, message, node.location)
        types = [scalar_type(expressions.plan(item)) for item in node.args]
        raise _missing(expressions, ".".join(parts), types, node.location)
    return parts[-1]


def refuse_aggregate_syntax(expressions: Expressions, node: Any, name: str) -> None:
    """Raises 42809 for syntax that only aggregates take; raises 42883 when there is no such function at all."""
    word = aggregate_word(node, name)
    if word is None:
        return
    sorted_by = [item.sort_by.node for item in node.agg_order] if node.agg_within_group else []
    types = [scalar_type(expressions.plan(item)) for item in (*node.args, *sorted_by)]
    overloads: tuple[Function | TableFunction, ...] = (*functions_named(name), *table_functions_named(name))
    if name not in SESSION_FUNCTIONS and resolve(candidates_for(overloads, len(types)), types) is None:
        raise _missing(expressions, name, types, node.location)
    message = f"{word} specified, but {name} is not an aggregate function"
    raise expressions.analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)


def _told_of_argument(analysis: Analysis, name: str, argument: Scalar, location: int) -> Scalar | None:
    """Returns what a function tells of its argument before it is cast, or of where it comes from; None for others."""
    type_, unknown = scalar_type(argument), isinstance(argument, Literal) and argument.type == UNKNOWN
    match name, argument:
        case "pg_typeof", _ if type_.member is not None:
            # There is one regtype for all lists, and one for all maps.
            return Literal(type_text(type_), TEXT)
        case "pg_typeof", _ if unknown:
            return Literal(type_oid(UNKNOWN), REGTYPE)
        case "pg_column_size", Literal(value=str() as text) if unknown:
            return Literal(len(text.encode()) + 1, INT4)
        case "pg_column_size", Column() | OuterColumn():
            return call_syntax(analysis, "stored_column_size", [argument], location)
        case _:
            return None


def call_by_name(
    expressions: Expressions, name: str, arguments: Sequence[Scalar], location: int, locations: Sequence[int]
) -> Scalar:
    """Returns a scalar or set-returning function by its name; raises 42883 when none fits."""
    analysis = expressions.analysis
    if name == "unnest" and len(arguments) > 1:
        raise _missing(expressions, name, [scalar_type(a) for a in arguments], location)
    if window_functions_named(name):
        message = f"window function {name} requires an OVER clause"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, location)
    overloads: tuple[Function | TableFunction, ...] = (*functions_named(name), *table_functions_named(name))
    types = [scalar_type(argument) for argument in arguments]
    if len(arguments) == 1 and (told := _told_of_argument(analysis, name, arguments[0], location)) is not None:
        return told
    try:
        candidate = resolve(candidates_for(overloads, len(arguments)), types)
    except Ambiguous:
        raise not_unique(analysis, name, type_list(types), location) from None
    if candidate is None:
        cast = _cast_by_name(expressions, name, arguments, locations)
        if cast is not None:
            return cast
        if len(types) == 1 and any(field == name for field, _ in types[0].fields):
            return field_of(analysis, arguments[0], name, location)
        raise _missing(expressions, name, types, location)
    if name in POPULATED_RECORDS:
        check_known_record(analysis, arguments[0], location)
    if isinstance(candidate.overload, Function):
        found = call_function(analysis, _scalar_candidate(candidate), arguments, locations)
        return _filled(analysis, found, arguments) if name in POPULATED_RECORDS else found
    call = table_call(expressions, name, candidate, arguments, locations)
    return _set_in_expression(expressions, call, location)


def require_function(
    expressions: Expressions, name: str, arguments: Sequence[Scalar], location: int, *, defined: bool
) -> None:
    """Raises 42883 unless a function that makes records takes the arguments; one whose records are `defined` by a list
    of column definitions takes this list as its last argument, which nobody writes."""
    types = [scalar_type(argument) for argument in arguments]
    taken = [*types, ScalarType(TypeName.RECORD)] if defined else types
    overloads: tuple[Function | TableFunction, ...] = (*functions_named(name), *table_functions_named(name))
    if resolve(candidates_for(overloads, len(taken)), taken) is None:
        raise _missing(expressions, name, types, location)


def check_known_record(analysis: Analysis, record: Scalar, location: int) -> None:
    """Raises 42804 for a record to fill whose type nothing determines."""
    if scalar_type(record) == UNKNOWN:
        message = "could not determine polymorphic type because input has type unknown"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, location)


def _filled(analysis: Analysis, call: Call, arguments: Sequence[Scalar]) -> Scalar:
    """Returns the record that a function has filled, as one of the first argument's type, which may be a domain."""
    base = scalar_type(arguments[0])
    type_ = base if base.domain is not None else call.type
    return checked_inside(analysis, retyped(call, type_), type_)


def _scalar_candidate(candidate: Candidate[Any]) -> Candidate[Function]:
    return candidate


def _cast_by_name(
    expressions: Expressions, name: str, arguments: Sequence[Scalar], locations: Sequence[int]
) -> Scalar | None:
    """Plans `text(x)`, `int4('7')`: a type's name called with one argument; None for any other call."""
    target = type_named(name)
    if target is None or len(arguments) != 1:
        return None
    return coerce(expressions.analysis, arguments[0], target, CastContext.EXPLICIT, locations[0])


def _missing(expressions: Expressions, name: str, types: Sequence[ScalarType], location: int) -> Exception:
    message = f"function {name}({type_list(types)}) does not exist"
    hint = "No function matches the given name and argument types. You might need to add explicit type casts."
    return expressions.analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, location, hint=hint)


def table_call(
    expressions: Expressions,
    name: str,
    candidate: Candidate[Any],
    arguments: Sequence[Scalar],
    locations: Sequence[int],
) -> TableCall:
    """Plans the call of a set-returning function: casts its arguments, and describes its rows."""
    function: TableFunction = candidate.overload
    cast = cast_arguments(expressions.analysis, candidate.declared, arguments, locations)
    if name in DESCRIBED_BY_VALUE:
        first = fold(cast[0])
        desc = DESCRIBED_BY_VALUE[name](first.value if isinstance(first, Literal) else None)
    else:
        desc = function.result(tuple(scalar_type(argument) for argument in cast))
    row_type = None
    if name in POPULATED_RECORDS:
        row_type = scalar_type(arguments[0] if scalar_type(arguments[0]).domain is not None else cast[0])
    session = tuple(SessionValue(value) for value in function.session)
    composite = desc.arity > 1 or row_type is not None
    given = with_vectors(function, cast, arguments)
    return TableCall(function.key, name, (*given, *session), desc, composite, row_type)


def _set_in_expression(expressions: Expressions, call: TableCall, location: int) -> Scalar:
    """Stands for the function's rows until the SELECT list is put together."""
    analysis = expressions.analysis
    where = _NO_SETS.get(expressions.place)
    if where is not None:
        message = f"set-returning functions are not allowed in {where}"
        hint = None
        if expressions.place in (ClausePlace.AGGREGATE, ClausePlace.WINDOW):
            kind = "aggregate" if expressions.place is ClausePlace.AGGREGATE else "window"
            message, hint = f"{kind} function calls cannot contain set-returning function calls", _MOVE_SET
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location, hint=hint)
    if expressions.conditional:
        message = f"set-returning functions are not allowed in {expressions.conditional}"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location, hint=_MOVE_SET)
    select = expressions.scope.select
    if select is None:
        message = "set-returning functions are not allowed here"
        raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location)
    # Equal calls give equal rows in lockstep, and a key of GROUP BY is known by being equal.
    if call in select.table_calls and not any(map(volatile, call.arguments)):
        at = select.table_calls.index(call)
    else:
        at = len(select.table_calls)
        select.table_calls.append(call)
    type_ = set_type(call)
    rows = Placeholder(TableCallValue(at), type_)
    return checked_inside(analysis, rows, type_) if call.row_type is not None else rows


def set_type(call: TableCall) -> ScalarType:
    """Returns the type of a set-returning function's rows as single values."""
    if call.row_type is not None:
        return call.row_type
    if call.desc.arity == 1:
        return call.desc.types[0]
    return ScalarType(TypeName.RECORD, fields=tuple((c.name, c.type) for c in call.desc.columns))


def describe_table_function(
    expressions: Expressions, name: str, arguments: Sequence[Scalar], location: int, locations: Sequence[int]
) -> TableCall | None:
    """Returns a set-returning function called in FROM; None when the name is not one's."""
    rows = table_functions_named(name)
    if name == "unnest" and len(arguments) > 1:
        name, rows = "unnest", table_functions_named("unnest_several")
    if not rows:
        return None
    types = [scalar_type(argument) for argument in arguments]
    if rows[0].name == "unnest_several":
        return _several_arrays(expressions, rows[0], arguments, location)
    try:
        candidate = resolve(candidates_for(rows, len(arguments)), types)
    except Ambiguous:
        raise not_unique(expressions.analysis, name, type_list(types), location) from None
    if candidate is None:
        raise _missing(expressions, name, types, location)
    return table_call(expressions, name, candidate, arguments, locations)


def _several_arrays(
    expressions: Expressions, function: TableFunction, arguments: Sequence[Scalar], location: int
) -> TableCall:
    """Plans unnest(a, b, …) in FROM, whose arrays may be of different types; the catalog's vectors are arrays too."""
    types = tuple(scalar_type(argument) for argument in arguments)
    for type_ in types:
        if type_ == UNKNOWN:
            raise not_unique(expressions.analysis, "unnest", type_list((type_,)), location)
        if type_.name not in (TypeName.ARRAY, TypeName.INT2VECTOR, TypeName.OIDVECTOR):
            raise _missing(expressions, "unnest", (type_,), location)
    return TableCall(function.key, "unnest", tuple(arguments), function.result(types), True)
