"""Calls of users' functions: the call becomes the value of the function's query, with the arguments in the places of
the parameters.

    CREATE FUNCTION twice(a int) RETURNS int RETURN a * 2          twice(b + 1)   is   (b + 1) * 2
    CREATE FUNCTION most() RETURNS int RETURN (SELECT max(a) FROM t)        most()   is   (SELECT max(a) FROM t)

So a function costs nothing when it runs, and works wherever its query does: on Spark, and in maintained views. Names in
the query mean what they meant when the function was created. An argument is evaluated once: one that is volatile can
only be put where it stands once, outside of queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from model.errors.sql_error import NotSupported
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.text.names import type_named
from model.types.scalar_type import BOOL, INT8, ScalarType, TypeName, bare_text, type_text
from planner.catalog_view import ItemView, PlanningContext
from planner.expressions.calls import aggregate_word, cast_arguments, not_unique, type_list
from planner.expressions.planner import ClausePlace, Expressions
from planner.expressions.session_functions import SESSION_FUNCTIONS
from planner.expressions.subqueries import WITHOUT_SUBQUERIES
from planner.function_rules import FunctionRules
from planner.functions.signature import AggregateFunction, CastContext, Function, TableFunction, WindowFunction
from planner.functions.volatility import calls_volatile
from planner.ir.columns import deepen
from planner.ir.relation import Get, Map, Project, Relation, TopK
from planner.ir.scalar import (
    Call,
    Case,
    Column,
    Literal,
    Or,
    OuterColumn,
    Parameter,
    Scalar,
    SessionValue,
    SubqueryValue,
    scalar_type,
)
from planner.ir.unit import UNIT
from planner.ir.visit import has_subquery, rewrite_scalar, subqueries_in, walk_relation
from planner.privileges import EXECUTE
from planner.rules.inline_subqueries import reads_no_rows, value_of_row
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, strings
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.syntax.grammar import parse_tree
from planner.syntax.parse import parse
from planner.types.coercion import coerce, known
from planner.types.function_table import (
    aggregates_named,
    functions_named,
    table_functions_named,
    window_functions_named,
)
from planner.types.resolution import Ambiguous, candidates_for, resolve

_INLINED_MAX = 1000
"""Of calls in one statement: functions that call others twice would double without end."""
_TEXTS = (TypeName.UNKNOWN, TypeName.TEXT, TypeName.VARCHAR, TypeName.BPCHAR)
_KEPT_AS_TEXT = {
    ClausePlace.DEFAULT: "DEFAULT",
    ClausePlace.CHECK: "CHECK",
    ClausePlace.GENERATED: "a generated column",
    ClausePlace.POLICY: "a policy",
    ClausePlace.INDEX: "an index",
    ClausePlace.INDEX_PREDICATE: "an index",
}
"""Where the catalog keeps the text of an expression, and would not know of the function in it."""


@dataclass(frozen=True, slots=True)
class _Call:
    """An overload that takes the arguments as they are written. `places`: the argument of each parameter, None where
    the parameter's default stands."""

    key: str
    arguments: tuple[ScalarType, ...]
    item: ItemView
    places: tuple[int | None, ...]


_Row = Function | TableFunction | AggregateFunction | WindowFunction


@dataclass(frozen=True, slots=True)
class _System:
    """A function of the system's, which an argument list may mean as well."""

    key: str
    arguments: tuple[ScalarType, ...]
    variadic: bool = False


def call_users_function(expressions: Expressions, node: Any) -> Scalar | None:
    """Plans a call of a user's function; None where the name, or the arguments, mean none. 42725 where several fit."""
    analysis = expressions.analysis
    parts, context = strings(node.funcname), analysis.context
    if len(parts) == 1 and parts[0] in SESSION_FUNCTIONS:
        return None
    if len(parts) == 1 and expressions.place in _KEPT_AS_TEXT and (_system_functions(parts[0]) or type_named(parts[0])):
        # A text that is kept holds its meaning, whatever functions others make by the name of one of the system's.
        return None
    items = context.catalog.resolve_functions(parts, context.search_path, context.database)
    if not items or (len(parts) > 2 and parts[-3] != context.database):
        return None
    written = [each.named_arg_expr.arg if _name_of(each) else each for each in node.args]
    names = [_name_of(each) for each in node.args]
    if any(first and not second for first, second in pairwise(names)):
        message = "positional argument cannot follow named argument"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, node.location)
    arguments = [expressions.plan(each) for each in written]
    types = [scalar_type(argument) for argument in arguments]
    fitting = [call for item in items if (call := _fit(item, names)) is not None]
    exactly = tuple(types) in [call.arguments for call in fitting]
    if len(parts) == 1 and type_named(parts[0]) is not None and _is_text(types) and not exactly:
        # date('2020-01-01') is a cast, as is any text by the name of a type, unless a function takes just this.
        return None
    system = _system_functions(parts[-1]) if len(parts) == 1 and not any(names) else []
    overloads: list[_Call | _System] = [*system, *sorted(fitting, key=lambda call: call.places.count(None))]
    try:
        candidate = resolve(candidates_for(overloads, len(arguments)), types)
    except Ambiguous:
        raise not_unique(analysis, ".".join(parts), type_list(types), node.location) from None
    if candidate is None and not system and type_named(parts[-1]) is None:
        shown = [
            f"{name} => {type_}" if name else type_ for name, type_ in zip(names, map(bare_text, types), strict=True)
        ]
        message = f"function {'.'.join(parts)}({', '.join(shown)}) does not exist"
        hint = "No function matches the given name and argument types. You might need to add explicit type casts."
        raise analysis.error(Sqlstate.UNDEFINED_FUNCTION, message, node.location, hint=hint)
    if candidate is None or not isinstance(candidate.overload, _Call):
        return None
    call = candidate.overload
    _refuse_syntax(expressions, node)
    analysis.depends_on.add(call.item.id)
    analysis.used_items[node.location, len(parts)] = call.item
    analysis.use(call.item, EXECUTE)
    locations = [location_of(each) for each in written]
    cast = cast_arguments(analysis, call.arguments, arguments, locations)
    value = _inlined(expressions, call, cast, node.location)
    if expressions.place in WITHOUT_SUBQUERIES and _reads_rows(value):
        raise analysis.unsupported(f"a function that reads rows in {expressions.place}", node.location)
    return value


def _refuse_syntax(expressions: Expressions, node: Any) -> None:
    """Raises SqlError for what is written with the call and only aggregates take, and for a place that keeps text."""
    analysis, name = expressions.analysis, strings(node.funcname)[-1]
    if node.HasField("over"):
        message = f"OVER specified, but {name} is not a window function nor an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    word = aggregate_word(node, name)
    if word is not None:
        message = f"{word} specified, but {name} is not an aggregate function"
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, node.location)
    if node.func_variadic:
        raise analysis.unsupported("VARIADIC in the call of a user's function", node.location)
    if expressions.place in _KEPT_AS_TEXT:
        raise analysis.unsupported(f"a user's function in {_KEPT_AS_TEXT[expressions.place]}", node.location)


def _is_text(types: Sequence[ScalarType]) -> bool:
    return len(types) == 1 and types[0].name in _TEXTS


def _reads_rows(value: Scalar) -> bool:
    return any(isinstance(node, Get) for relation in subqueries_in(value) for node in walk_relation(relation))


def _name_of(node: Any) -> str:
    """Returns the parameter that an argument names; nothing for one given by its place."""
    return str(node.named_arg_expr.name) if node.WhichOneof("node") == "named_arg_expr" else ""


def _system_functions(name: str) -> list[_System]:
    rows: tuple[_Row, ...] = (
        *functions_named(name),
        *table_functions_named(name),
        *aggregates_named(name),
        *window_functions_named(name),
    )
    return [_System(row.key, row.arguments, bool(getattr(row, "variadic", False))) for row in rows]


def _fit(item: ItemView, names: Sequence[str]) -> _Call | None:
    """Returns how a function takes arguments by place and by name; None where it does not take them."""
    assert item.function is not None
    parameters = item.function.parameters
    places: list[int | None] = [None] * len(parameters)
    declared: list[ScalarType] = []
    for at, name in enumerate(names):
        found = [n for n, each in enumerate(parameters) if each.name == name] if name else [at]
        if not found or found[0] >= len(parameters) or places[found[0]] is not None:
            return None
        places[found[0]] = at
        declared.append(parameters[found[0]].type)
    if any(at is None and each.default is None for at, each in zip(places, parameters, strict=True)):
        return None
    return _Call(str(item.oid), tuple(declared), item, tuple(places))


def _inlined(expressions: Expressions, call: _Call, arguments: Sequence[Scalar], location: int) -> Scalar:
    """Returns the value of a call."""
    analysis, rules = expressions.analysis, call.item.function
    assert rules is not None
    analysis.inlined += 1
    if analysis.inlined > _INLINED_MAX:
        message = f"functions are called more than {_INLINED_MAX} times in one statement"
        raise analysis.error(Sqlstate.STATEMENT_TOO_COMPLEX, message, location)
    context = analysis.context
    within = replace(
        context, catalog=context.catalog.within_function(call.item.id), search_path=(), parameter_types=rules.types
    )
    body, _ = function_value(within, rules, call.item.name.name, analysis)
    values = [
        arguments[at] if at is not None else _default(within, rules, number) for number, at in enumerate(call.places)
    ]
    return _with_arguments(expressions, rules, body, values, location)


def _with_arguments(
    expressions: Expressions, rules: FunctionRules, body: Scalar, values: Sequence[Scalar], location: int
) -> Scalar:
    """Puts arguments in the places of parameters, each so that it is evaluated once."""
    if rules.strict and values:
        nulls = tuple(
            Call("is_null_any", (Parameter(number, scalar_type(value)),), BOOL)
            for number, value in enumerate(values, 1)
        )
        body = Case(((nulls[0] if len(nulls) == 1 else Or(nulls), Literal(None, rules.result)),), body, rules.result)
    uses = _uses(body, len(values))
    again = [not _is_atom(value) and count > 1 for value, count in zip(values, uses, strict=True)]
    for value, count in zip(values, uses, strict=True):
        if calls_volatile(value) and (count != 1 or has_subquery(body)):
            feature = "a volatile argument of a function that does not use it once, or that reads rows"
            raise expressions.analysis.unsupported(feature, location)
    if not any(again):
        return _substituted(body, values)
    kept = [value for value, repeated in zip(values, again, strict=True) if repeated]
    row = Map(UNIT, tuple(deepen(value, 1) for value in kept), tuple(f"a{at}" for at in range(len(kept))))
    columns = iter(range(len(kept)))
    inner = [
        Column(next(columns), scalar_type(value)) if repeated else deepen(value, 1)
        for value, repeated in zip(values, again, strict=True)
    ]
    relation = Project(Map(row, (_substituted(body, inner),), ("value",)), (len(kept),))
    return SubqueryValue(relation, rules.result)


def _is_atom(scalar: Scalar) -> bool:
    """Tells whether a value may stand in several places: it costs nothing, and is the same in all."""
    return isinstance(scalar, Column | OuterColumn | Literal | Parameter | SessionValue)


def _uses(body: Scalar, count: int) -> list[int]:
    found = [0] * count

    def visit(node: Scalar, level: int) -> Scalar | None:
        if isinstance(node, Parameter):
            found[node.number - 1] += 1
        return None

    rewrite_scalar(body, visit)
    return found


def _substituted(body: Scalar, values: Sequence[Scalar]) -> Scalar:
    def visit(node: Scalar, level: int) -> Scalar | None:
        return deepen(values[node.number - 1], level) if isinstance(node, Parameter) else None

    return rewrite_scalar(body, visit)


def _default(context: PlanningContext, rules: FunctionRules, number: int) -> Scalar:
    text = rules.parameters[number].default
    assert text is not None, "a call fits where what it leaves out has a default"
    return default_argument(replace(context, parameter_types=()), text, rules.types[number])[0]


def default_argument(context: PlanningContext, text: str, type_: ScalarType) -> tuple[Scalar, set[GlobalId]]:
    """Plans a parameter's default; returns it with the relations that it names. SqlError 42804 for a value of another
    type, 0A000 for columns in it, and for users' types and functions."""
    source = f"SELECT {text}"
    node = parse_tree(source).stmts[0].stmt.select_stmt.target_list[0].res_target.val
    analysis = Analysis(context, source, _no_query, _no_condition)
    value = Expressions(analysis, Scope(()), QueryEnvironment(), ClausePlace.DEFAULT).plan(node)
    cast = coerce(analysis, value, type_, CastContext.ASSIGNMENT)
    if cast is None:
        actual = bare_text(scalar_type(known(analysis, value)))
        message = f"argument of DEFAULT must be type {type_text(type_)}, not type {actual}"
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message)
    if analysis.used_items:
        raise analysis.unsupported("a user's type in the default of a parameter")
    return cast, analysis.depends_on


def _no_query(analysis: Analysis, node: Any, environment: QueryEnvironment) -> PlannedQuery:
    raise AssertionError("defaults have no subqueries")


def _no_condition(context: PlanningContext, sql: str, value: Scalar) -> Scalar:
    raise NotSupported("a domain in the default of a parameter")


def function_value(
    context: PlanningContext, rules: FunctionRules, name: str, caller: Analysis
) -> tuple[Scalar, Analysis]:
    """Plans the body of a function in a catalog: its value, with Parameters in it, and what its planning has used.
    42P13 for a body that is no query of one column of the function's type; 0A000 for what Headwater does not inline."""
    statements = parse(rules.body)
    final = "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING."
    if not statements or (statements[-1].kind != "select_stmt"):
        kind = statements[-1].kind if statements else ""
        if kind in ("insert_stmt", "update_stmt", "delete_stmt", "merge_stmt"):
            raise caller.unsupported("a function that changes rows")
        raise _mismatch(caller, rules.result, final)
    if len(statements) > 1:
        raise caller.unsupported("a function of several statements")
    statement = statements[0]
    if statement.extension.as_of is not None:
        raise caller.unsupported("AS OF in a function")
    analysis = Analysis(
        context,
        statement.source,
        caller.plan_query,
        caller.plan_condition,
        recursions=statement.recursions,
        members=statement.members,
        call_stars=statement.call_stars,
        local_ids=caller.local_ids,
        inlined=caller.inlined,
        in_function=True,
    )
    given = [Field(each.name or "", Parameter(number, each.type)) for number, each in enumerate(rules.parameters, 1)]
    row = NamespaceItem(name, tuple(field for field in given if field.name))
    query = analysis.plan_query(analysis, statement.node, QueryEnvironment(outer=Scope((row,))))
    caller.local_ids, caller.inlined = analysis.local_ids, analysis.inlined
    if query.arity != 1:
        raise _mismatch(analysis, rules.result, "Final statement must return exactly one column.")
    over = max(analysis.parameter_types, default=0)
    if over > len(rules.parameters):
        message = f"there is no parameter ${over}"
        raise analysis.error(Sqlstate.UNDEFINED_PARAMETER, message, analysis.parameter_places[over])
    first = _first_row(query)
    actual = query.desc.types[0]
    value = coerce(analysis, Column(0, actual), rules.result, CastContext.ASSIGNMENT)
    if value is None:
        raise _mismatch(analysis, rules.result, f"Actual return type is {type_text(actual)}.")
    relation = first if value == Column(0, actual) else Project(Map(first, (value,), ("value",)), (1,))
    written = value_of_row(relation)
    return (SubqueryValue(relation, rules.result) if written is None else written), analysis


def _first_row(query: PlannedQuery) -> Relation:
    """Returns the first row of a query in its order, as one column; none where there is none."""
    relation = query.closed()
    if reads_no_rows(relation):
        return relation
    limited = TopK(query.limited(), (), query.order, Literal(1, INT8), None)
    return Project(limited, (0,))


def _mismatch(analysis: Analysis, result: ScalarType, detail: str) -> Exception:
    message = f"return type mismatch in function declared to return {type_text(result)}"
    return analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, detail=detail)
