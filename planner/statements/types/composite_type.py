"""CREATE TYPE … AS (…)."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType
from planner.plans.types import CreateCompositePlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.statements.new_names import new_object_name
from planner.statements.tables.create_table import pseudo_type
from planner.syntax.parse import ParsedStatement
from planner.types.type_names import type_from_node


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateCompositePlan:
    """Plans CREATE TYPE … AS (fields). SqlError 42701 for a field's name that stands twice, 42P16 for a pseudo-type."""
    node = statement.node
    name = new_object_name(analysis, range_parts(node.typevar), node.typevar.location)
    fields: list[tuple[str, ScalarType]] = []
    for item in node.coldeflist:
        column = item.column_def
        if any(column.colname == known for known, _ in fields):
            message = f'column "{column.colname}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
        type_ = type_from_node(analysis, column.type_name)
        message_of = pseudo_type(column.colname, type_)
        if message_of is not None:
            raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message_of, column.type_name.location)
        fields.append((column.colname, type_))
    if not fields:
        raise analysis.unsupported("a composite type without fields")
    return CreateCompositePlan(name, tuple(fields))
