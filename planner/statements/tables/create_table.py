"""CREATE TABLE: columns with NOT NULL and DEFAULT, constraints, RETAIN HISTORY."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.types.decimals_columns import is_reserved_name
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import MZ_TIMESTAMP, ScalarType, TypeName, array_of, type_text
from planner.catalog_view import KeyKind, OnCommit, QualifiedName
from planner.plans.constraints import NewConstraint, NewKey
from planner.plans.tables import ColumnDefinition, CreateTablePlan
from planner.scope.analysis import Analysis
from planner.statements.changes.assignment import qualified_default
from planner.statements.expression_text import expression_text
from planner.statements.history_interval import retain_history_ms
from planner.statements.new_names import new_relation_name
from planner.statements.tables.column_sequence import identity_sequence, refuse_second, serial_sequence, serial_type
from planner.statements.tables.constraint_attributes import with_attributes
from planner.statements.tables.generated_column import declared_generation, refuse_actions
from planner.statements.tables.like_clause import columns_like
from planner.statements.tables.storage_parameters import check_table_parameters
from planner.statements.tables.table_constraints import table_constraints
from planner.syntax.identifiers import qualified, quoted
from planner.syntax.parse import ParsedStatement
from planner.temporary_schema import ALIAS
from planner.types.bound_relations import bind_relations
from planner.types.type_names import type_from_node

_UNSTORABLE = frozenset(
    (
        TypeName.RECORD,
        TypeName.VOID,
        TypeName.UNKNOWN,
        TypeName.ACLITEM,
        TypeName.PG_NODE_TREE,
    )
)
_ACCESS_ITEMS = array_of(ScalarType(TypeName.ACLITEM))
"""Columns hold those of the catalog, and what is made of them; a single one has no input."""
_ON_COMMIT = {
    tree.ONCOMMIT_PRESERVE_ROWS: OnCommit.PRESERVE_ROWS,
    tree.ONCOMMIT_DELETE_ROWS: OnCommit.DELETE_ROWS,
    tree.ONCOMMIT_DROP: OnCommit.DROP,
}


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateTablePlan:
    node = statement.node
    name = new_relation_name(analysis, node.relation)
    _refuse(analysis, node)
    columns: list[ColumnDefinition] = []
    declared: list[tuple[Any, str | None]] = []
    generated: dict[int, Any] = {}
    for element in node.table_elts:
        kind = element.WhichOneof("node")
        if kind == "column_def":
            columns.append(planned_column(analysis, name.name, element.column_def, columns, declared, generated))
        elif kind == "constraint":
            declared.append((element.constraint, None))
        else:
            for column in columns_like(analysis, element.table_like_clause, len(columns)):
                refuse_name(analysis, column.name)
                columns.append(column)
    if not node.if_not_exists:
        _refuse_twice(analysis, [column.name for column in columns])
    history = retain_history_ms(analysis, statement.extension)
    ending = on_commit(analysis, name, node.oncommit)
    desc = RelationDesc(tuple(ColumnDesc(column.name, column.type, column.nullable) for column in columns))
    copied = [at for at, column in enumerate(columns) if column.reads is not None]
    for at, constraint in generated.items():
        default, reads = declared_generation(analysis, name.name, desc, at, constraint, {*copied, *generated})
        columns[at] = replace(columns[at], default=default, reads=reads)
    constraints = table_constraints(analysis, (name.name, name.schema), desc, declared)
    refuse_actions(analysis, constraints, [at for at, column in enumerate(columns) if column.reads is not None])
    columns = _with_primary_key(columns, constraints)
    sql = create_table_sql(qualified(name.schema, name.name), columns, statement.extension.retain_history)
    return CreateTablePlan(name, tuple(columns), node.if_not_exists, history, sql, ending, constraints)


def _with_primary_key(
    columns: list[ColumnDefinition], constraints: tuple[NewConstraint, ...]
) -> list[ColumnDefinition]:
    """Makes the columns of a primary key NOT NULL."""
    keys = (each for each in constraints if isinstance(each, NewKey) and each.rule.kind is KeyKind.PRIMARY)
    primary = {at for key in keys for at in key.columns}
    return [replace(column, nullable=False) if at in primary else column for at, column in enumerate(columns)]


def on_commit(analysis: Analysis, name: QualifiedName, action: int) -> OnCommit:
    """Returns the action of ON COMMIT; raises 42P16 for a table that isn't temporary."""
    if action == tree.ONCOMMIT_NOOP:
        return OnCommit.PRESERVE_ROWS
    if name.schema != ALIAS:
        message = "ON COMMIT can only be used on temporary tables"
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
    return _ON_COMMIT[action]


def _refuse(analysis: Analysis, node: Any) -> None:
    if node.inh_relations or node.HasField("partspec") or node.HasField("of_typename"):
        raise analysis.unsupported("inheritance, partitions and typed tables")
    check_table_parameters(node.options)


def planned_column(
    analysis: Analysis,
    table: str,
    node: Any,
    before: Sequence[ColumnDefinition],
    declared: list[tuple[Any, str | None]],
    generated: dict[int, Any],
) -> ColumnDefinition:
    """Adds the constraints of the column to those that are `declared`, and GENERATED ALWAYS AS (…) to `generated`, by
    the position of the column, for when the types of all columns are known."""
    refuse_name(analysis, node.colname)
    serial = serial_type(analysis, node.type_name)
    type_ = serial or type_from_node(analysis, node.type_name)
    _refuse_type(analysis, node, type_)
    nullable = serial is None
    default: str | None = None
    sequence = None if serial is None else serial_sequence(serial)
    for constraint in with_attributes(analysis, (item.constraint for item in node.constraints)):
        refuse_second(analysis, constraint, (node.colname, table), default, sequence, len(before) in generated)
        match constraint.contype:
            case tree.CONSTR_NOTNULL:
                nullable = False
            case tree.CONSTR_NULL:
                nullable = True
            case tree.CONSTR_DEFAULT:
                default = default_text(analysis, constraint.raw_expr, ColumnDesc(node.colname, type_))
            case tree.CONSTR_IDENTITY:
                nullable, sequence = False, identity_sequence(analysis, constraint, type_)
            case tree.CONSTR_GENERATED:
                generated[len(before)] = constraint
            case _:
                declared.append((constraint, node.colname))
    return ColumnDefinition(node.colname, type_, nullable, default, sequence)


def _refuse_twice(analysis: Analysis, names: Sequence[str]) -> None:
    """Raises 42701 for a name that stands twice, which constraints could not tell apart."""
    for at, name in enumerate(names):
        if name in names[:at]:
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, f'column "{name}" specified more than once')


def refuse_name(analysis: Analysis, name: str) -> None:
    """Raises SqlError for a name that is reserved. Of the names of system columns the catalog tells when the table
    comes to be: IF NOT EXISTS may leave it be."""
    if is_reserved_name(name):
        raise analysis.error(Sqlstate.RESERVED_NAME, f'column name "{name}" is reserved')


def _refuse_type(analysis: Analysis, node: Any, type_: ScalarType) -> None:
    message = pseudo_type(node.colname, type_)
    if message is not None:
        raise analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message, node.type_name.location)
    assert (type_.element or type_) != MZ_TIMESTAMP or type_.modifier < 0


def pseudo_type(column: str, type_: ScalarType) -> str | None:
    """Returns why a table can't have a column of the type; None when it can."""
    held = type_.element or type_
    if held.name not in _UNSTORABLE or held.composite is not None or type_ == _ACCESS_ITEMS:
        return None
    return f'column "{column}" has pseudo-type {type_text(type_)}'


def default_text(analysis: Analysis, expression: Any, column: ColumnDesc) -> str | None:
    """Returns the text of the expression, written anew from its syntax tree and checked to plan; None for one that says
    no more than none does."""
    text = expression_text(analysis, bind_relations(analysis, expression))
    text = qualified_default(analysis.context, text, column)
    return None if text == "NULL" and column.type.domain is None else text


def create_table_sql(name: str, columns: list[ColumnDefinition], history: str | None) -> str:
    lines: list[str] = []
    for column in columns:
        line = f"{quoted(column.name)} {type_text(column.type)}"
        if not column.nullable:
            line += " NOT NULL"
        if column.reads is not None:
            line += f" GENERATED ALWAYS AS ({column.default}) STORED"
        elif column.default is not None:
            line += f" DEFAULT {column.default}"
        lines.append(line)
    sql = f"CREATE TABLE {name} ({', '.join(lines)})"
    if history is not None:
        escaped = history.replace("'", "''")
        sql += f" WITH (RETAIN HISTORY FOR '{escaped}')"
    return sql
