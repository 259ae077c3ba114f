"""CREATE TYPE … AS ENUM, ALTER TYPE … ADD VALUE and RENAME VALUE."""

from __future__ import annotations

from model.errors.sqlstate import Sqlstate
from planner.plans.types import AddedLabel, AlterTypePlan, CreateTypePlan, RenamedLabel
from planner.scope.analysis import Analysis
from planner.scope.names import strings
from planner.statements.new_names import new_object_name
from planner.syntax.parse import ParsedStatement

_LABEL_BYTES_MAX = 63


def plan(analysis: Analysis, statement: ParsedStatement) -> CreateTypePlan:
    """Plans CREATE TYPE … AS ENUM; raises 42602 for a label that is too long, 23505 for one that occurs twice."""
    node = statement.node
    labels = strings(node.vals)
    for at, label in enumerate(labels):
        _check_label(analysis, label)
        if label in labels[:at]:
            message = 'duplicate key value violates unique constraint "pg_enum_typid_label_index"'
            raise analysis.error(Sqlstate.UNIQUE_VIOLATION, message)
    return CreateTypePlan(new_object_name(analysis, strings(node.type_name)), labels)


def plan_alter(analysis: Analysis, statement: ParsedStatement) -> AlterTypePlan:
    node = statement.node
    name = strings(node.type_name)
    _check_label(analysis, node.new_val)
    if node.old_val:
        return AlterTypePlan(name, RenamedLabel(node.old_val, node.new_val))
    beside = node.new_val_neighbor or None
    return AlterTypePlan(
        name, AddedLabel(node.new_val, node.skip_if_new_val_exists, beside, before=not node.new_val_is_after)
    )


def _check_label(analysis: Analysis, label: str) -> None:
    if len(label.encode()) > _LABEL_BYTES_MAX:
        detail = f"Labels must be {_LABEL_BYTES_MAX} bytes or less."
        raise analysis.error(Sqlstate.INVALID_NAME, f'invalid enum label "{label}"', detail=detail)
