"""CREATE TYPE … AS (…), and ALTER TYPE … ADD, DROP, ALTER and RENAME ATTRIBUTE."""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import ScalarType, holds, type_within
from planner.plans.types import (
    AddedAttribute,
    AlterCompositePlan,
    AttributeChange,
    CreateCompositePlan,
    DroppedAttribute,
    RenamedAttribute,
    RetypedAttribute,
)
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.statements.new_names import new_object_name
from planner.statements.tables.create_table import pseudo_type
from planner.syntax.parse import ParsedStatement
from planner.types.type_names import type_from_node


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateCompositePlan:
    """Plans CREATE TYPE … AS (fields). Raises SqlError 42701 for a field's name that stands twice, 42P16 for a
    pseudo-type."""
    node = statement.node
    name = new_object_name(analysis, range_parts(node.typevar), node.typevar.location)
    fields: list[tuple[str, ScalarType]] = []
    for item in node.coldeflist:
        column = item.column_def
        if any(column.colname == known for known, _ in fields):
            message = f'column "{column.colname}" specified more than once'
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
        fields.append((column.colname, _type(analysis, column.colname, column.type_name)))
    if not fields:
        raise analysis.unsupported("a composite type without fields")
    return CreateCompositePlan(name, tuple(fields))


def plan_attributes(analysis: Analysis, node: Any) -> AlterCompositePlan:
    """Plans the actions of ALTER TYPE. Raises SqlError 42P16 for a pseudo-type, and for the type itself within."""
    name = range_parts(node.relation)
    context = analysis.context
    own = context.catalog.resolve_type(name, context.search_path, context.database)
    changes: list[AttributeChange] = []
    for item in node.cmds:
        command = item.alter_table_cmd
        column = getattr(command, "def").column_def
        match command.subtype:
            case tree.AT_AddColumn:
                type_ = _type(analysis, column.colname, column.type_name)
                changes.append(AddedAttribute(column.colname, type_))
            case tree.AT_DropColumn:
                changes.append(DroppedAttribute(command.name, command.missing_ok))
                continue
            case tree.AT_AlterColumnType:
                type_ = _type(analysis, command.name, column.type_name)
                changes.append(RetypedAttribute(command.name, type_))
            case _:
                raise analysis.unsupported("this form of ALTER TYPE")
        if own is not None and holds(type_, own.id):
            message = f"composite type {own.name.name} cannot be made a member of itself"
            raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
    return AlterCompositePlan(name, tuple(changes))


def plan_rename_attribute(node: Any) -> AlterCompositePlan:
    """Plans RENAME ATTRIBUTE."""
    return AlterCompositePlan(range_parts(node.relation), (RenamedAttribute(node.subname, node.newname),))


def _type(analysis: Analysis, name: str, node: Any) -> ScalarType:
    type_ = type_within(type_from_node(analysis, node))
    message = pseudo_type(name, type_)
    if message is not None:
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message, node.location)
    return type_
