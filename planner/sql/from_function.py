"""Functions in FROM: set-returning and scalar ones, ROWS FROM, WITH ORDINALITY."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.relation_desc import ColumnDesc, RelationDesc
from model.scalar_type import ScalarType, TypeName
from model.sqlstate import Sqlstate
from planner.functions.json_records import RECORD_FUNCTIONS
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Map, Relation
from planner.ir.scalar import Column, Literal, Scalar, scalar_type
from planner.sql.analysis import Analysis
from planner.sql.coercion import known
from planner.sql.environment import Environment
from planner.sql.expressions.functions import describe_table_function, function_name
from planner.sql.expressions.named_arguments import plan_arguments
from planner.sql.expressions.planner import Expressions, Place
from planner.sql.lockstep import flat_map, side_by_side
from planner.sql.names import column_name, location_of, strings
from planner.sql.scope import Field, NamespaceItem, Scope
from planner.sql.table_call import TableCall
from planner.sql.type_names import type_from_node
from planner.sql.unit import UNIT


def plan_from_function(analysis: Analysis, node: Any, environment: Environment) -> tuple[Relation, NamespaceItem]:
    """The function's rows, whose arguments see the rows outside and, as the nearest of them, the tables on the left."""
    calls = [
        _call(analysis, item.list.items[0], environment, node.coldeflist or _definitions(item))
        for item in node.functions
    ]
    relation: Relation
    if len(calls) == 1:
        call = calls[0]
        if isinstance(call, TableCall):
            relation = flat_map(UNIT, call, ordinality=node.ordinality)
        else:
            relation = Map(UNIT, (call,), (column_name(node.functions[0].list.items[0]),))
            if node.ordinality:
                raise analysis.unsupported("WITH ORDINALITY on a function that returns one row")
    else:
        relation = side_by_side([_as_table(analysis, call) for call in calls], ordinality=node.ordinality)
    return relation, _namespace(analysis, node, calls, relation_desc_of(relation))


def _definitions(item: Any) -> Sequence[Any]:
    """The column definition list of one function in ROWS FROM."""
    parts = item.list.items
    return parts[1].list.items if len(parts) > 1 and parts[1].WhichOneof("node") else ()


def _record(analysis: Analysis, definitions: Sequence[Any]) -> Literal:
    """A NULL of the record type that a column definition list makes."""
    fields = [(each.column_def.colname, type_from_node(analysis, each.column_def.type_name)) for each in definitions]
    for at, (name, type_) in enumerate(fields):
        if type_.domain is not None:
            raise analysis.unsupported("a domain in a column definition list", definitions[at].column_def.location)
        if any(name == other for other, _ in fields[:at]):
            message = f'column name "{name}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message, definitions[at].column_def.location)
    return Literal(None, ScalarType(TypeName.RECORD, fields=tuple(fields)))


def _check_definitions(analysis: Analysis, name: str, definitions: Sequence[Any], location: int) -> None:
    """42601 for a list where none may stand, or none where one must."""
    if definitions and name not in RECORD_FUNCTIONS:
        message = 'a column definition list is only allowed for functions returning "record"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, definitions[0].column_def.location)
    if name in RECORD_FUNCTIONS and not definitions:
        message = 'a column definition list is required for functions returning "record"'
        raise analysis.error(Sqlstate.SYNTAX_ERROR, message, location)


def _as_table(analysis: Analysis, call: TableCall | Scalar) -> TableCall:
    if not isinstance(call, TableCall):
        raise analysis.unsupported("a function that returns one row in ROWS FROM")
    return call


def _call(analysis: Analysis, node: Any, environment: Environment, definitions: Sequence[Any]) -> TableCall | Scalar:
    """Arguments are planned over a row without columns, since the function stands alone on its side of the join."""
    scope = Scope((), environment.outer)
    expressions = Expressions(analysis, scope, environment, Place.FROM_FUNCTION)
    if node.WhichOneof("node") == "func_call":
        call = node.func_call
        name = function_name(expressions, call)
        _check_definitions(analysis, name, definitions, call.location)
        arguments, locations = plan_arguments(expressions, name, call.args)
        if definitions:
            arguments.append(_record(analysis, definitions))
            locations.append(call.location)
        described = describe_table_function(expressions, name, arguments, call.location, locations)
        if described is not None:
            return described
    return known(analysis, expressions.plan(node))


def _namespace(analysis: Analysis, node: Any, calls: list[TableCall | Scalar], desc: RelationDesc) -> NamespaceItem:
    alias = node.alias.aliasname if node.HasField("alias") else None
    first = node.functions[0].list.items[0]
    default = strings(first.func_call.funcname)[-1] if first.WhichOneof("node") == "func_call" else column_name(first)
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
    return NamespaceItem(alias or default, fields, scalar_result=scalar_result)


def _one_value(call: TableCall | Scalar) -> bool:
    if isinstance(call, TableCall):
        return not call.composite
    return bool(scalar_type(call))
