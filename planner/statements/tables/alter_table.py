"""ALTER TABLE … ADD and ALTER COLUMN, ADD and DROP CONSTRAINT: any number of actions in one statement.

PostgreSQL carries actions out by kind, not in the order written: first drops, then additions, then actions that may
need an added column or key. Each action is planned against the table as earlier actions leave it.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from model.text.numerics import fits_decimal
from model.types.column_layout import dropped_name, plain_layout
from model.types.decimals_columns import with_added_column
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import NUMERIC, WIDE, bare_text, type_text
from planner.catalog_view import GeneratedColumn, ItemKind, ItemView, KeyKind
from planner.expressions.planner import ClausePlace, Expressions
from planner.functions.signature import CastContext
from planner.ir.scalar import Column, Literal
from planner.ir.visit import has_subquery
from planner.plans.alter_table import (
    AddColumnPlan,
    AddIdentityPlan,
    AlterTablePlan,
    DropColumnPlan,
    DropExpressionPlan,
    DropIdentityPlan,
    SetDefaultPlan,
    SetNotNullPlan,
    SetRowSecurityPlan,
    SetTypePlan,
    SkippedAction,
    TableAction,
)
from planner.plans.constraints import (
    AddConstraintPlan,
    AlterConstraintPlan,
    DropConstraintPlan,
    NewConstraint,
    NewKey,
    ValidateConstraintPlan,
)
from planner.plans.plan import NoOpPlan
from planner.plans.tables import ColumnDefinition
from planner.query.from_clause import resolve_table
from planner.rules.fold_constants import fold
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.names import location_of, range_parts
from planner.scope.scope import Scope
from planner.sequence_rules import Identity
from planner.statements.changes.assignment import absent_value, plan_default, table_namespace
from planner.statements.expression_text import expression_text
from planner.statements.tables.altered_identity import identity_action
from planner.statements.tables.column_sequence import check_identity_type
from planner.statements.tables.create_table import default_text, planned_column
from planner.statements.tables.foreign_key import Child
from planner.statements.tables.generated_column import declared_generation, planned_generation, refuse_actions
from planner.statements.tables.storage_parameters import check_table_parameters
from planner.statements.tables.table_constraints import table_constraints
from planner.syntax.identifiers import quoted
from planner.syntax.renamed_text import columns_named
from planner.types.coercion import coerce
from planner.types.type_names import type_from_node

_WORDS = {
    tree.AT_AddColumn: "ADD COLUMN",
    tree.AT_DropColumn: "DROP COLUMN",
    tree.AT_AlterColumnType: "ALTER COLUMN ... SET DATA TYPE",
    tree.AT_AddConstraint: "ADD CONSTRAINT",
    tree.AT_DropConstraint: "DROP CONSTRAINT",
    tree.AT_ValidateConstraint: "VALIDATE CONSTRAINT",
    tree.AT_AlterConstraint: "ALTER CONSTRAINT",
    tree.AT_ColumnDefault: "ALTER COLUMN ... SET DEFAULT",
    tree.AT_DropExpression: "ALTER COLUMN ... DROP EXPRESSION",
    tree.AT_AddIdentity: "ALTER COLUMN ... ADD IDENTITY",
    tree.AT_SetIdentity: "ALTER COLUMN ... SET",
    tree.AT_DropIdentity: "ALTER COLUMN ... DROP IDENTITY",
    tree.AT_SetNotNull: "ALTER COLUMN ... SET NOT NULL",
    tree.AT_DropNotNull: "ALTER COLUMN ... DROP NOT NULL",
    tree.AT_EnableRowSecurity: "ENABLE ROW SECURITY",
    tree.AT_DisableRowSecurity: "DISABLE ROW SECURITY",
    tree.AT_ForceRowSecurity: "FORCE ROW SECURITY",
    tree.AT_NoForceRowSecurity: "NO FORCE ROW SECURITY",
}
_ROW_SECURITY = {
    tree.AT_EnableRowSecurity: (True, None),
    tree.AT_DisableRowSecurity: (False, None),
    tree.AT_ForceRowSecurity: (None, True),
    tree.AT_NoForceRowSecurity: (None, False),
}
"""What each action makes of the switches ENABLE and FORCE."""
_STORAGE = (tree.AT_SetRelOptions, tree.AT_ResetRelOptions)
_KINDS = {
    ItemKind.VIEW: "views",
    ItemKind.MATERIALIZED_VIEW: "materialized views",
    ItemKind.SEQUENCE: "sequences",
    ItemKind.SOURCE: "sources",
    ItemKind.SOURCE_PROGRESS: "source progress relations",
    ItemKind.SINK_PROGRESS: "sink progress relations",
}


def plan_alter_table(analysis: Analysis, node: Any) -> AlterTablePlan | NoOpPlan | None:
    """Plans an ALTER TABLE of columns, constraints or storage; returns None for an ALTER TABLE with other commands."""
    commands = [item.alter_table_cmd for item in node.cmds]
    if all(command.subtype in _STORAGE for command in commands):
        return _storage(analysis, node, commands)
    if not all(command.subtype in _WORDS for command in commands):
        return None
    context, parts = analysis.context, range_parts(node.relation)
    if node.missing_ok and context.catalog.resolve_item(parts, context.search_path, context.database) is None:
        return NoOpPlan("ALTER TABLE", f'relation "{node.relation.relname}" does not exist, skipping')
    ordered = sorted(commands, key=_pass)
    item = _target(analysis, node.relation, ordered[0])
    planner = _Actions(analysis, item, parts)
    actions = [action for command in ordered for action in planner.plan(command)]
    return AlterTablePlan(item.id, tuple(actions))


def _storage(analysis: Analysis, node: Any, commands: list[Any]) -> NoOpPlan | None:
    """Plans SET and RESET of what changes no answer; None where there are other parameters."""
    context, relation = analysis.context, node.relation
    if (
        node.missing_ok
        and context.catalog.resolve_item(range_parts(relation), context.search_path, context.database) is None
    ):
        return NoOpPlan("ALTER TABLE", f'relation "{relation.relname}" does not exist, skipping')
    resolve_table(analysis, range_parts(relation), relation.location)
    for command in commands:
        options = getattr(command, "def").list.items
        if command.subtype == tree.AT_SetRelOptions:
            check_table_parameters(options)
    return NoOpPlan("ALTER TABLE")


def _pass(command: Any) -> int:
    """Returns the pass in which PostgreSQL executes a command."""
    match command.subtype:
        case tree.AT_DropColumn | tree.AT_DropConstraint | tree.AT_DropNotNull:
            return 0
        case tree.AT_DropExpression | tree.AT_DropIdentity:
            return 0
        case tree.AT_AlterColumnType:
            return 1
        case tree.AT_AddColumn:
            return 2
        case tree.AT_SetNotNull:
            return 3
        case tree.AT_SetIdentity:
            return 5
        case tree.AT_ColumnDefault:
            return 5 if command.HasField("def") else 0
        case _:
            return 4


def _target(analysis: Analysis, relation: Any, first: Any) -> ItemView:
    item = resolve_table(analysis, range_parts(relation), relation.location)
    if item.of_system:
        message = f'permission denied: "{item.name.name}" is a system catalog'
        raise analysis.error(Sqlstate.INSUFFICIENT_PRIVILEGE, message)
    if item.kind is not ItemKind.TABLE:
        word = _WORDS[first.subtype]
        if first.subtype == tree.AT_ColumnDefault and not first.HasField("def"):
            word = "ALTER COLUMN ... DROP DEFAULT"
        message = f'ALTER action {word} cannot be performed on relation "{item.name.name}"'
        detail = f"This operation is not supported for {_KINDS[item.kind]}."
        raise analysis.error(Sqlstate.WRONG_OBJECT_TYPE, message, detail=detail)
    return item


class _Actions:
    """The actions of one ALTER TABLE, planned one after the other."""

    def __init__(self, analysis: Analysis, item: ItemView, name: tuple[str, ...]) -> None:
        self._analysis = analysis
        self._item = item
        self._name = name

    def plan(self, command: Any) -> list[TableAction]:
        match command.subtype:
            case tree.AT_AddColumn:
                return self._add_column(command, getattr(command, "def").column_def)
            case tree.AT_DropColumn:
                return self._drop_column(command)
            case tree.AT_AlterColumnType:
                return [self._set_type(command.name, getattr(command, "def").column_def)]
            case tree.AT_AddConstraint:
                return [self._add_constraint(getattr(command, "def").constraint)]
            case tree.AT_DropConstraint:
                cascade = command.behavior == tree.DROP_CASCADE
                return [DropConstraintPlan(self._name, command.name, False, command.missing_ok, cascade)]
            case tree.AT_ValidateConstraint:
                return [ValidateConstraintPlan(self._item.id, command.name)]
            case tree.AT_AlterConstraint:
                return [self._alter_constraint(getattr(command, "def").atalter_constraint)]
            case tree.AT_ColumnDefault:
                return [self._set_default(command)]
            case tree.AT_DropExpression:
                return [self._drop_expression(command)]
            case tree.AT_AddIdentity | tree.AT_SetIdentity | tree.AT_DropIdentity:
                return [self._alter_identity(command)]
            case tree.AT_SetNotNull:
                self._column(command.name)
                return [SetNotNullPlan(self._item.id, command.name, nullable=False)]
            case tree.AT_DropNotNull:
                return [self._drop_not_null(command.name)]
            case _:
                return [SetRowSecurityPlan(self._item.id, *_ROW_SECURITY[command.subtype])]

    def _add_column(self, command: Any, node: Any) -> list[TableAction]:
        item, analysis = self._item, self._analysis
        if item.column_named(node.colname) is not None:
            message = f'column "{node.colname}" of relation "{item.name.name}" already exists'
            if command.missing_ok:
                return [SkippedAction(f"{message}, skipping", Sqlstate.DUPLICATE_COLUMN)]
            raise analysis.error(Sqlstate.DUPLICATE_COLUMN, message)
        declared: list[tuple[Any, str | None]] = []
        generated: dict[int, Any] = {}
        column = _holding_default(analysis, planned_column(analysis, item.name.name, node, (), declared, generated))
        desc = ColumnDesc(column.name, column.type, column.nullable)
        whole, at = RelationDesc((*item.desc.columns, desc)), item.desc.arity
        made = item.generated
        if generated:
            present = {at, *(each.column for each in made)}
            default, reads = declared_generation(analysis, item.name.name, whole, at, generated[0], present)
            column, made = replace(column, default=default, reads=reads), (*made, GeneratedColumn(at, reads))
        stored = with_added_column(item.desc, desc)
        hidden = stored.arity - whole.arity
        layout = plain_layout(item.desc.arity) if item.layout is None else item.layout
        self._item = replace(
            item,
            desc=stored,
            defaults=(*item.defaults, column.default, *(None,) * hidden),
            layout=layout.with_added(at) if hidden or item.layout is not None else None,
            generated=made,
        )
        constraints = table_constraints(analysis, self._place, self._item.desc, declared, self._child())
        refuse_actions(analysis, constraints, [each.column for each in self._item.generated])
        if any(_is_primary(each) for each in constraints):
            self._refuse_second_primary_key()
            desc = replace(desc, nullable=False)
        given = column.default is not None or column.sequence is not None
        absent = given or column.type.domain is not None or not _is_null(absent_value(analysis, column.type))
        added = AddColumnPlan(item.id, desc, column.default, column.sequence, absent, column.reads)
        return [added, *(AddConstraintPlan(item.id, each) for each in constraints)]

    def _drop_column(self, command: Any) -> list[TableAction]:
        item, name = self._item, command.name
        if command.missing_ok and item.column_named(name) is None:
            message = f'column "{name}" of relation "{item.name.name}" does not exist, skipping'
            return [SkippedAction(message, Sqlstate.SUCCESSFUL_COMPLETION)]
        at, cascade = self._column(name), command.behavior == tree.DROP_CASCADE
        readers = [each.column for each in item.generated if at in each.reads] if cascade else []
        for each in readers:
            self._leave_out(each)
        self._leave_out(at)
        gone = (DropColumnPlan(item.id, item.desc.columns[each].name, cascade, cascaded=True) for each in readers)
        return [*gone, DropColumnPlan(item.id, name, cascade)]

    def _leave_out(self, at: int) -> None:
        """Removes a column from the table as later actions see it."""
        item, name = self._item, self._item.desc.columns[at].name
        columns = list(item.desc.columns)
        columns[at] = replace(columns[at], name=dropped_name(at + 1), nullable=True)
        layout = plain_layout(item.desc.arity) if item.layout is None else item.layout
        keys = tuple(
            key
            for key in item.keys
            if at not in (part for _, part in key.parts)
            and (key.condition is None or name not in columns_named(key.condition))
        )
        left = tuple(each for each in item.generated if each.column != at)
        self._item = replace(
            item, desc=RelationDesc(tuple(columns)), layout=layout.without(at), keys=keys, generated=left
        )

    def _set_type(self, name: str, node: Any) -> SetTypePlan:
        """Plans SET DATA TYPE; raises 42804 for values, or a DEFAULT, that no assignment would take."""
        item, analysis, at = self._item, self._analysis, self._column(name)
        if node.HasField("coll_clause"):
            raise analysis.unsupported("COLLATE", node.coll_clause.location)
        type_ = type_from_node(analysis, node.type_name)
        if self._identity(at) is not None:
            check_identity_type(analysis, type_)
        columns = list(item.desc.columns)
        columns[at] = ColumnDesc(name, type_, columns[at].nullable)
        expressions = Expressions(analysis, Scope((table_namespace(item),)), QueryEnvironment(), ClausePlace.ALTER_TYPE)
        written = node.HasField("raw_default")
        self._refuse_retyping(name, at, written)
        value = expressions.plan(node.raw_default) if written else Column(at, item.desc.columns[at].type)
        if has_subquery(value):
            message = "cannot use subquery in transform expression"
            raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, location_of(node.raw_default))
        if coerce(analysis, value, type_, CastContext.ASSIGNMENT) is None:
            shown = bare_text(type_)
            what = f'result of USING clause for column "{name}"' if written else f'column "{name}"'
            hint = f'You might need to specify "USING {quoted(name)}::{type_text(type_)}".'
            message = f"{what} cannot be cast automatically to type {shown}"
            hint = "You might need to add an explicit cast." if written else hint
            raise analysis.error(Sqlstate.DATATYPE_MISMATCH, message, hint=hint)
        self._require_default(at, columns[at])
        using = expression_text(analysis, node.raw_default) if written else quoted(name)
        self._item = replace(item, desc=RelationDesc(tuple(columns)))
        return SetTypePlan(item.id, name, type_, using)

    def _refuse_retyping(self, name: str, at: int, written: bool) -> None:
        """Raises the errors of ALTER COLUMN … TYPE for generated columns, and for columns that they read."""
        item, analysis = self._item, self._analysis
        if item.is_generated(at) and written:
            message = "cannot specify USING when altering type of generated column"
            detail = f'Column "{name}" is a generated column.'
            raise analysis.error(Sqlstate.INVALID_COLUMN_DEFINITION, message, detail=detail)
        for each in item.generated:
            if at in each.reads:
                message = "cannot alter type of a column used by a generated column"
                detail = f'Column "{name}" is used by generated column "{item.desc.columns[each.column].name}".'
                raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, message, detail=detail)

    def _identity(self, at: int) -> Identity | None:
        return self._item.identities[at] if self._item.identities else None

    def _require_default(self, at: int, column: ColumnDesc) -> None:
        default = self._item.defaults[at]
        if default is None or self._identity(at) is not None:
            return
        item, context, what = self._item, self._analysis.context, "default"
        if item.is_generated(at):
            value = planned_generation(context, default, item.name.name, item.desc, at)[0]
            what = "generation expression"
        else:
            value = plan_default(context, default, item.desc.columns[at])
        if coerce(self._analysis, value, column.type, CastContext.ASSIGNMENT) is None:
            shown = bare_text(column.type)
            message = f'{what} for column "{column.name}" cannot be cast automatically to type {shown}'
            raise self._analysis.error(Sqlstate.DATATYPE_MISMATCH, message)

    def _add_constraint(self, constraint: Any) -> AddConstraintPlan:
        item = self._item
        if constraint.skip_validation and constraint.contype != tree.CONSTR_FOREIGN:
            raise self._analysis.unsupported("NOT VALID", constraint.location)
        (declared,) = table_constraints(self._analysis, self._place, item.desc, [(constraint, None)], self._child())
        refuse_actions(self._analysis, (declared,), [each.column for each in item.generated])
        return AddConstraintPlan(item.id, declared)

    def _alter_constraint(self, node: Any) -> AlterConstraintPlan:
        if node.alter_enforceability or node.alter_inheritability:
            raise self._analysis.unsupported("ALTER CONSTRAINT of anything but when a constraint is checked")
        return AlterConstraintPlan(self._item.id, node.conname, node.deferrable, node.initdeferred)

    @property
    def _place(self) -> tuple[str, str]:
        return self._item.name.name, self._item.name.schema

    def _child(self) -> Child:
        """Returns the table as the child of its foreign keys. A key that references the same table finds its parent by
        name.
        """
        return Child(*self._place, self._item.desc, (), primary=False, new=False)

    def _refuse_second_primary_key(self) -> None:
        if any(key.rule.kind is KeyKind.PRIMARY for key in self._item.keys):
            message = f'multiple primary keys for table "{self._item.name.name}" are not allowed'
            raise self._analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)

    def _set_default(self, command: Any) -> SetDefaultPlan:
        item, at = self._item, self._column(command.name)
        if item.identities and at < len(item.identities) and item.identities[at] is not None:
            message = f'column "{command.name}" of relation "{item.name.name}" is an identity column'
            hint = None if command.HasField("def") else "Use ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY instead."
            raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message, hint=hint)
        if item.is_generated(at):
            message = f'column "{command.name}" of relation "{item.name.name}" is a generated column'
            hint = None if command.HasField("def") else "Use ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION instead."
            raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message, hint=hint)
        if not command.HasField("def"):
            self._item = replace(item, defaults=(*item.defaults[:at], None, *item.defaults[at + 1 :]))
            return SetDefaultPlan(item.id, command.name, None)
        text = default_text(self._analysis, getattr(command, "def"), item.desc.columns[at])
        return SetDefaultPlan(item.id, command.name, text)

    def _alter_identity(self, command: Any) -> TableAction:
        item, at = self._item, self._column(command.name)
        action = identity_action(self._analysis, item, at, command)
        identities = list(item.identities or (None,) * item.desc.arity)
        match action:
            case AddIdentityPlan():
                identities[at] = action.sequence.identity
            case DropIdentityPlan():
                identities[at] = None
            case _:
                pass
        self._item = replace(item, identities=tuple(identities))
        return action

    def _drop_expression(self, command: Any) -> TableAction:
        item, at = self._item, self._column(command.name)
        if not item.is_generated(at):
            message = f'column "{command.name}" of relation "{item.name.name}" is not a stored generated column'
            if command.missing_ok:
                return SkippedAction(f"{message}, skipping", Sqlstate.SUCCESSFUL_COMPLETION)
            raise self._analysis.error(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
        self._item = replace(
            item,
            defaults=(*item.defaults[:at], None, *item.defaults[at + 1 :]),
            generated=tuple(each for each in item.generated if each.column != at),
        )
        return DropExpressionPlan(item.id, command.name)

    def _drop_not_null(self, name: str) -> SetNotNullPlan:
        item, at = self._item, self._column(name)
        if item.identities and item.identities[at] is not None:
            message = f'column "{name}" of relation "{item.name.name}" is an identity column'
            raise self._analysis.error(Sqlstate.SYNTAX_ERROR, message)
        primary = (key for key in item.keys if key.rule.kind is KeyKind.PRIMARY)
        if any(at in (key.columns or ()) for key in primary):
            message = f'column "{name}" is in a primary key'
            raise self._analysis.error(Sqlstate.INVALID_TABLE_DEFINITION, message)
        return SetNotNullPlan(item.id, name, nullable=True)

    def _column(self, name: str) -> int:
        """Returns the position of a column; raises 42703 when the table lacks it."""
        at = self._item.column_named(name)
        if at is None:
            message = f'column "{name}" of relation "{self._item.name.name}" does not exist'
            raise self._analysis.error(Sqlstate.UNDEFINED_COLUMN, message)
        return at


def _is_primary(constraint: NewConstraint) -> bool:
    return isinstance(constraint, NewKey) and constraint.rule.kind is KeyKind.PRIMARY


def _holding_default(analysis: Analysis, column: ColumnDefinition) -> ColumnDefinition:
    """Returns a column that is added as wide, where no decimal holds the default that all rows get: `DEFAULT 'NaN'`."""
    if column.default is None or column.type != NUMERIC:
        return column
    value = plan_default(analysis.context, column.default, ColumnDesc(column.name, WIDE))
    folded = fold(value)
    number = folded.value if isinstance(folded, Literal) else None
    return column if not isinstance(number, Decimal) or fits_decimal(number) else replace(column, type=WIDE)


def _is_null(value: object) -> bool:
    return isinstance(value, Literal) and value.value is None
