"""The bodies of users' functions: one query each, planned as the value or as the rows of the function, in which the
parameters still stand as Parameters.

    RETURNS int RETURN a * 2                            the value  $1 * 2
    RETURNS SETOF int AS 'SELECT a FROM t ORDER BY a'   the rows of the query, with their order
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sql_error import NotSupported, SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId, Namespace
from model.types.scalar_type import INT8, ScalarType, TypeName, bare_text, type_text, type_within
from planner.catalog_view import PlanningContext
from planner.expressions.columns import field_at
from planner.expressions.planner import ClausePlace, Expressions
from planner.function_rules import FunctionRules
from planner.functions.registry import FUNCTIONS, TABLE_FUNCTIONS
from planner.functions.signature import CastContext
from planner.ir.aggregate import SortKey
from planner.ir.columns import shift_columns
from planner.ir.properties import relation_desc_of
from planner.ir.reads import reads_of
from planner.ir.relation import FlatMap, Map, Project, Relation, TopK
from planner.ir.scalar import Call, Column, Literal, Parameter, RowOf, Scalar, SessionName, SubqueryValue, scalar_type
from planner.ir.visit import parts_of, scalars_of, walk_relation
from planner.rules.inline_subqueries import reads_no_rows, value_of_row
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.planned_query import PlannedQuery
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.syntax.grammar import parse_tree
from planner.syntax.parse import parse
from planner.types.coercion import coerce, known

SEARCH_PATH = "search_path"
_SCHEMAS = frozenset((SessionName.CURRENT_SCHEMA, SessionName.CURRENT_SCHEMAS, SessionName.CURRENT_SCHEMAS_IMPLICIT))
FINAL_STATEMENT = "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING."


def default_argument(context: PlanningContext, text: str, type_: ScalarType) -> tuple[Scalar, set[GlobalId]]:
    """Plans a parameter's default; returns it with the relations that it names. Raises SqlError 42804 for a value of
    another type, 0A000 for columns in it, and for users' types and functions."""
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
    Raises 42P13 for a body that is no query of the columns that the function declares; raises 0A000 for what Headwater
    does not inline."""
    query, analysis = _planned_body(context, rules, name, caller)
    first, actual = _first_row(query), query.desc.types
    wanted = [type_ for _, type_ in rules.columns_of_rows(name)]
    if actual == (rules.result,):
        value: Scalar = Column(0, rules.result)
    else:
        value = row_value(rules, cast_columns(analysis, rules, wanted, actual))
    whole = len(actual) == 1 and value == Column(0, actual[0])
    relation = first if whole else Project(Map(first, (value,), ("value",)), (len(actual),))
    written = value_of_row(relation)
    return (SubqueryValue(relation, rules.value_type) if written is None else written), analysis


def function_rows(
    context: PlanningContext, rules: FunctionRules, name: str, caller: Analysis
) -> tuple[Relation, tuple[SortKey, ...], Analysis]:
    """Plans the body of a function that returns a set: its rows, their order, and what its planning has used. The first
    columns are the function's, behind them stands what the order sorts by. Raises SqlError 42P13 for other columns than
    the function's, 0A000 for what Headwater does not inline."""
    query, analysis = _planned_body(context, rules, name, caller)
    columns = rules.columns_of_rows(name)
    if rules.returns_record:
        # A call says which columns it wants; until then, those of the query are as good.
        columns = tuple(zip(query.names, query.desc.types, strict=True))
    relation, order = (query.limited(), query.order) if query.order else (query.closed(), ())
    fields = cast_columns(analysis, rules, [type_ for _, type_ in columns], query.desc.types)
    arity = relation_desc_of(relation).arity
    added = Map(relation, fields, tuple(column for column, _ in columns))
    places = (*range(arity, arity + len(fields)), *range(arity))
    moved = tuple(replace(key, expression=shift_columns(key.expression, len(fields))) for key in order)
    return Project(added, places), moved, analysis


def body_columns(
    context: PlanningContext, rules: FunctionRules, name: str, caller: Analysis
) -> tuple[tuple[str, ScalarType], ...]:
    """Returns the columns of the query in the body of a function, by their own names."""
    query, _ = _planned_body(context, rules, name, caller)
    return tuple(zip(query.names, query.desc.types, strict=True))


def row_value(rules: FunctionRules, columns: Sequence[Scalar]) -> Scalar:
    """Returns the value of a function of one row, with these columns."""
    type_ = rules.value_type
    return RowOf(tuple(columns), type_) if type_.name is TypeName.RECORD else columns[0]


def cast_columns(
    analysis: Analysis, rules: FunctionRules, wanted: Sequence[ScalarType], actual: Sequence[ScalarType]
) -> tuple[Scalar, ...]:
    """Returns the columns of a body as the types that the function declares. Raises SqlError 42P13 for others."""
    if rules.returns_fields and rules.result.fields and tuple(actual) == (rules.result,):
        row = Column(0, rules.result)
        return tuple(field_at(analysis, row, at, field, -1) for at, field in enumerate(wanted))
    fields = [field for _, field in actual[0].fields] if len(actual) == 1 else []
    if len(wanted) > 1 and list(map(type_within, fields)) == list(map(type_within, wanted)):
        row = Column(0, actual[0])
        values = [field_at(analysis, row, at, field, -1) for at, field in enumerate(fields)]
        alike = [coerce(analysis, each, type_, CastContext.ASSIGNMENT) for each, type_ in zip(values, wanted)]
        return tuple(value for value in alike if value is not None)
    if len(actual) != len(wanted):
        if len(wanted) == 1 and not rules.returns_fields and not rules.columns:
            raise mismatch(analysis, rules.result, "Final statement must return exactly one column.")
        few_or_many = "many" if len(actual) > len(wanted) else "few"
        raise mismatch(analysis, rules.result, f"Final statement returns too {few_or_many} columns.")
    cast: list[Scalar] = []
    for at, (type_, found) in enumerate(zip(wanted, actual, strict=True)):
        value = coerce(analysis, Column(at, found), type_, CastContext.ASSIGNMENT)
        if value is None and len(wanted) == 1 and not rules.returns_fields:
            raise mismatch(analysis, rules.result, f"Actual return type is {type_text(found)}.")
        if value is None:
            detail = f"Final statement returns {type_text(found)} instead of {type_text(type_)} at column {at + 1}."
            raise mismatch(analysis, rules.result, detail)
        cast.append(value)
    return tuple(cast)


def _planned_body(
    context: PlanningContext, rules: FunctionRules, name: str, caller: Analysis
) -> tuple[PlannedQuery, Analysis]:
    """Plans the query of a function, and returns it with what its planning has used."""
    statements = parse(rules.body)
    if not statements or (statements[-1].kind != "select_stmt"):
        kind = statements[-1].kind if statements else ""
        if kind in ("insert_stmt", "update_stmt", "delete_stmt", "merge_stmt"):
            raise caller.unsupported("a function that changes rows")
        raise mismatch(caller, rules.result, FINAL_STATEMENT)
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
    given = [Field(each.name or "", Parameter(number, each.type)) for number, each in enumerate(rules.inputs, 1)]
    row = NamespaceItem(name, tuple(field for field in given if field.name))
    query = analysis.plan_query(analysis, statement.node, QueryEnvironment(outer=Scope((row,))))
    caller.local_ids, caller.inlined = analysis.local_ids, analysis.inlined
    over = max(analysis.parameter_types, default=0)
    if over > len(rules.inputs):
        message = f"there is no parameter ${over}"
        raise analysis.error(Sqlstate.UNDEFINED_PARAMETER, message, analysis.parameter_places[over])
    return query, analysis


def _first_row(query: PlannedQuery) -> Relation:
    """Returns the first row of a query in its order; none where there is none."""
    relation = query.closed()
    if reads_no_rows(relation):
        return relation
    limited = TopK(query.limited(), (), query.order, Literal(1, INT8), None)
    return Project(limited, tuple(range(query.arity)))


def mismatch(analysis: Analysis, result: ScalarType, detail: str) -> SqlError:
    """Returns the error for a body that does not return what its function declares."""
    message = f"return type mismatch in function declared to return {type_text(result)}"
    return analysis.error(Sqlstate.INVALID_FUNCTION_DEFINITION, message, detail=detail)


def runs_apart(rules: FunctionRules, body: Relation) -> bool:
    """Tells whether a function must run by itself, with another role or other settings in the session: it asks the
    server in their place, or is computed by settings."""
    if any(name != SEARCH_PATH for name, _ in rules.settings):
        return True
    if not rules.definer and not rules.settings:
        return False
    reads = reads_of(body)
    if rules.settings and not _SCHEMAS.isdisjoint(reads.session_values):
        return True
    if rules.definer and any(id_.namespace is Namespace.SYSTEM for id_ in reads.collections):
        return True
    return any(map(_asks_server, walk_relation(body)))


def _asks_server(node: Relation) -> bool:
    if isinstance(node, FlatMap) and TABLE_FUNCTIONS[node.function].needs_system:
        return True
    calls = (part for scalar in scalars_of(node) for part in parts_of(scalar) if isinstance(part, Call))
    return any(FUNCTIONS[call.function].needs_system for call in calls)
