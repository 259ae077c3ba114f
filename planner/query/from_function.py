"""Functions in FROM: set-returning and scalar ones, ROWS FROM, WITH ORDINALITY."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT8, ScalarType, TypeName, holds_domain, type_text
from planner.expressions.columns import field_at
from planner.expressions.functions import (
    call_by_name,
    check_known_record,
    describe_table_function,
    function_name,
    refuse_aggregate_syntax,
    require_function,
)
from planner.expressions.named_arguments import plan_arguments
from planner.expressions.planner import ClausePlace, Expressions
from planner.expressions.users.functions import call_users_function, rows_of_body
from planner.functions.json.json_records import DEFINED_RECORDS, POPULATED_RECORDS
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Map, Relation
from planner.ir.scalar import Column, Literal, Scalar, scalar_type
from planner.ir.unit import UNIT, projected
from planner.query.lockstep import flat_map, rows_of, side_by_side
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import column_name, location_of, strings
from planner.scope.scope import Field, NamespaceItem, Scope
from planner.scope.table_call import TableCall
from planner.types.coercion import known
from planner.types.domains import checked_inside, retyped
from planner.types.function_table import table_functions_named
from planner.types.type_names import type_from_node


def plan_from_function(analysis: Analysis, node: Any, environment: QueryEnvironment) -> tuple[Relation, NamespaceItem]:
    """Returns the function's rows, whose arguments see the rows outside and, as the nearest of them, the tables on the
    left."""
    if node.ordinality and node.coldeflist:
        message = "WITH ORDINALITY cannot be used with a column definition list"
        hint, place = "Put the column definition list inside ROWS FROM().", node.coldeflist[0].column_def.location
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, place, hint=hint)
    calls = [
        _call(analysis, item.list.items[0], environment, node.coldeflist or _definitions(item))
        for item in node.functions
    ]
    relation: Relation
    if len(calls) == 1:
        call = calls[0]
        if isinstance(call, TableCall) and call.body is not None:
            relation = rows_of(call, ordinality=True) if node.ordinality else rows_of_body(call, call.body)
        elif isinstance(call, TableCall):
            relation = _checked(analysis, flat_map(UNIT, call, ordinality=node.ordinality), call)
            relation = _with_fields(analysis, relation, _records(call))
        else:
            relation = _row(analysis, call, _row_name(analysis, node.functions[0].list.items[0]))
            if node.ordinality:
                relation = Map(relation, (Literal(1, INT8),), ("ordinality",))
    else:
        if any(isinstance(call, TableCall) and any(map(holds_domain, call.desc.types)) for call in calls):
            raise analysis.unsupported("a function in ROWS FROM that returns domains")
        relation = side_by_side([_as_table(analysis, call) for call in calls], ordinality=node.ordinality)
    return relation, _namespace(analysis, node, calls, relation_desc_of(relation))


def _checked(analysis: Analysis, relation: Relation, call: TableCall) -> Relation:
    """Returns the function's rows, with those columns checked that are of domains."""
    if call.row_type is not None and call.row_type.domain is not None:
        raise analysis.unsupported(f"records of domain {call.row_type} in FROM")
    checked = {
        at: checked_inside(analysis, Column(at, type_), type_)
        for at, type_ in enumerate(call.desc.types)
        if holds_domain(type_) and (call.row_type is not None or call.name in DEFINED_RECORDS)
    }
    if not checked:
        return relation
    arity = relation_desc_of(relation).arity
    added = Map(relation, tuple(checked.values()), tuple(call.desc.names[at] for at in checked))
    places = {at: arity + number for number, at in enumerate(checked)}
    return projected(added, tuple(places.get(at, at) for at in range(arity)))


def _row(analysis: Analysis, call: Scalar, name: str) -> Relation:
    """Returns the one row of a function that returns one: the fields of a composite value, or the value."""
    relation, type_ = Map(UNIT, (call,), (name,)), scalar_type(call)
    if type_.name is not TypeName.RECORD or not type_.fields:
        return relation
    return _with_fields(analysis, relation, (0,))


def _row_name(analysis: Analysis, node: Any) -> str:
    """Returns the name of the value of a function in FROM: that of its only OUT parameter, else the function's."""
    item = None
    if node.WhichOneof("node") == "func_call":
        item = analysis.used_items.get((node.func_call.location, len(node.func_call.funcname)))
    if item is None or item.function is None or len(item.function.columns) != 1:
        return column_name(node)
    return item.function.columns[0][0]


def _records(call: TableCall) -> Sequence[int]:
    """Returns the columns of a call that are values of a composite type whose fields are the columns in FROM."""
    if call.composite and call.name != "unnest":
        return ()
    return [at for at, type_ in enumerate(call.desc.types) if type_.composite]


def _with_fields(analysis: Analysis, relation: Relation, records: Sequence[int]) -> Relation:
    """Puts the fields of records in the places of these columns."""
    if not records:
        return relation
    desc = relation_desc_of(relation)
    fields: list[Scalar] = []
    names: list[str] = []
    places: list[int] = []
    for column, type_ in enumerate(desc.types):
        if column not in records:
            places.append(column)
            continue
        for at, (name, field) in enumerate(type_.fields):
            places.append(desc.arity + len(fields))
            fields.append(field_at(analysis, Column(column, type_), at, field, -1))
            names.append(name)
    return projected(Map(relation, tuple(fields), tuple(names)), tuple(places))


def _definitions(item: Any) -> Sequence[Any]:
    """Returns the column definition list of one function in ROWS FROM."""
    parts = item.list.items
    return parts[1].list.items if len(parts) > 1 and parts[1].WhichOneof("node") else ()


def _record(analysis: Analysis, definitions: Sequence[Any]) -> Literal:
    """Returns a NULL of the record type that a column definition list makes."""
    fields = [(each.column_def.colname, type_from_node(analysis, each.column_def.type_name)) for each in definitions]
    for at, (name, _) in enumerate(fields):
        if any(name == other for other, _ in fields[:at]):
            message = f'column name "{name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, definitions[at].column_def.location)
    return Literal(None, ScalarType(TypeName.RECORD, fields=tuple(fields)))


def _check_definitions(
    analysis: Analysis, name: str, definitions: Sequence[Any], location: int, populated: ScalarType | None
) -> None:
    """Raises 42601 for a list of column definitions where none may stand, or for a missing list where one must stand.
    `populated` is the type of the record that the function fills, if it fills one."""
    unnamed = name in DEFINED_RECORDS or (populated is not None and populated.name is TypeName.RECORD)
    named = populated is not None and populated.composite is not None
    if definitions and (named or not unnamed):
        message = 'a column definition list is only allowed for functions returning "record"'
        if named:
            message = "a column definition list is redundant for a function returning a named composite type"
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, definitions[0].column_def.location)
    if unnamed and not named and not definitions:
        message = 'a column definition list is required for functions returning "record"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def _refuse_definitions(analysis: Analysis, called: TableCall | Scalar, definitions: Sequence[Any]) -> None:
    """Raises SqlError 42601 for column definitions behind a user's function, whose columns are known."""
    if not definitions:
        return
    composite = called.composite if isinstance(called, TableCall) else scalar_type(called).composite is not None
    message = 'a column definition list is only allowed for functions returning "record"'
    if composite:
        message = "a column definition list is redundant for a function returning a named composite type"
    raise analysis.error(Sqlstate.SYNTAX_ERROR, message, definitions[0].column_def.location)


def _refuse_difference(analysis: Analysis, actual: ScalarType, defined: ScalarType) -> None:
    """Raises 42804 for a record whose fields' types are not those of the column definition list."""
    message, detail = "function return row and query-specified return row do not match", None
    if len(actual.fields) != len(defined.fields):
        count = len(actual.fields)
        detail = f"Returned row contains {count} attribute{'s' if count != 1 else ''}"
        detail += f", but query expects {len(defined.fields)}."
    else:
        for number, ((_, type_), (_, wanted)) in enumerate(zip(actual.fields, defined.fields, strict=True), 1):
            if type_.plain() != wanted.plain():
                detail = f"Returned type {type_text(type_)} at ordinal position {number}"
                detail += f", but query expects {type_text(wanted)}."
                break
    if detail is not None:
        raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, detail=detail)


def _renamed(call: TableCall | Scalar, record: ScalarType) -> TableCall | Scalar:
    """Returns a call whose columns have the names of a column definition list."""
    if isinstance(call, TableCall):
        return replace(call, desc=relation_desc(*record.fields), row_type=record)
    return retyped(call, record)


def _as_table(analysis: Analysis, call: TableCall | Scalar) -> TableCall:
    if not isinstance(call, TableCall):
        raise analysis.unsupported("a function that returns one row in ROWS FROM")
    if _records(call):
        raise analysis.unsupported("unnest of an array of a composite type in ROWS FROM")
    return call


def _call(
    analysis: Analysis, node: Any, environment: QueryEnvironment, definitions: Sequence[Any]
) -> TableCall | Scalar:
    """Plans a call. Arguments are planned over a row without columns, since the function stands alone on its side of
    the join."""
    scope = Scope((), environment.outer)
    expressions = Expressions(analysis, scope, environment, ClausePlace.FROM_FUNCTION)
    if node.WhichOneof("node") == "func_call":
        call = node.func_call
        listed = _record(analysis, definitions).type if definitions else None
        users = call_users_function(expressions, call, listed)
        if isinstance(users, TableCall) and users.defined:
            return users
        if users is not None:
            _refuse_definitions(analysis, users, definitions)
            return users
        name = function_name(expressions, call)
        refuse_aggregate_syntax(expressions, call, name)
        arguments, locations = plan_arguments(expressions, name, call.args)
        if name in DEFINED_RECORDS or name in POPULATED_RECORDS:
            require_function(expressions, name, arguments, call.location, defined=name in DEFINED_RECORDS)
        if name not in POPULATED_RECORDS:
            _check_definitions(analysis, name, definitions, call.location, None)
        else:
            check_known_record(analysis, arguments[0], call.location)
            _check_definitions(analysis, name, definitions, call.location, scalar_type(arguments[0]))
            return _populating(expressions, name, arguments, call.location, locations, definitions)
        if definitions:
            arguments.append(_record(analysis, definitions))
            locations.append(call.location)
        described = describe_table_function(expressions, name, arguments, call.location, locations)
        if described is not None:
            return described
    value = known(analysis, expressions.plan(node))
    if not definitions or node.WhichOneof("node") == "func_call":
        return value
    type_ = scalar_type(value)
    _check_definitions(analysis, "", definitions, location_of(node), type_)
    record = _record(analysis, definitions)
    _refuse_difference(analysis, type_, record.type)
    return _renamed(value, record.type)


def _populating(
    expressions: Expressions,
    name: str,
    arguments: list[Scalar],
    location: int,
    locations: list[int],
    definitions: Sequence[Any],
) -> TableCall | Scalar:
    """Returns a function that fills records: of the first argument's type, or as the column definition list says."""
    record = _record(expressions.analysis, definitions) if definitions else None
    base = arguments[0]
    filled = isinstance(base, Literal) and base.value is None
    if record is not None and filled:
        arguments[0] = record
    call: TableCall | Scalar | None = None
    if table_functions_named(name):
        call = describe_table_function(expressions, name, arguments, location, locations)
    if call is None:
        call = call_by_name(expressions, name, arguments, location, locations)
    if record is None or filled:
        return call
    _refuse_difference(expressions.analysis, scalar_type(base), record.type)
    return _renamed(call, record.type)


def _namespace(analysis: Analysis, node: Any, calls: list[TableCall | Scalar], desc: RelationDesc) -> NamespaceItem:
    alias = node.alias.aliasname if node.HasField("alias") else None
    first = node.functions[0].list.items[0]
    default = strings(first.func_call.funcname)[-1] if first.WhichOneof("node") == "func_call" else column_name(first)
    called = calls[0] if len(calls) == 1 and not node.ordinality else None
    body = called.body if isinstance(called, TableCall) else None
    if body is not None and isinstance(called, TableCall):
        # Behind the columns stands what the order sorts by.
        desc = called.desc
    names = list(desc.names)
    single = len(calls) == 1 and _one_value(calls[0])
    if single and alias is not None and names[0] == default:
        names[0] = alias
    given = strings(node.alias.colnames) if node.HasField("alias") else ()
    if len(given) > len(names):
        message = f'table "{alias}" has {len(names)} columns available but {len(given)} columns specified'
        raise analysis.error(Sqlstate.INVALID_COLUMN_REFERENCE, message, location_of(first))
    names[: len(given)] = given
    columns = [ColumnDesc(name, column.type) for name, column in zip(names, desc.columns, strict=True)]
    fields = tuple(Field(column.name, Column(at, column.type)) for at, column in enumerate(columns))
    scalar_result = single and not node.ordinality
    order = () if body is None else body.order
    return NamespaceItem(alias or default, fields, scalar_result=scalar_result, order=order)


def _one_value(call: TableCall | Scalar) -> bool:
    if isinstance(call, TableCall):
        return not call.composite and not _records(call)
    return scalar_type(call).name is not TypeName.RECORD
