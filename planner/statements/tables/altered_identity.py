"""ALTER COLUMN … ADD GENERATED AS IDENTITY, SET GENERATED, SET and RESTART of its sequence, DROP IDENTITY.

pg_dump writes identity columns so: the table first, and the sequence behind it.
"""

from __future__ import annotations

from typing import Any

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemView
from planner.plans.alter_table import AddIdentityPlan, DropIdentityPlan, SetIdentityPlan, SkippedAction
from planner.scope.analysis import Analysis
from planner.sequence_rules import Identity
from planner.statements.tables.column_sequence import identity_sequence
from planner.statements.tables.sequence import sequence_options

IdentityAction = AddIdentityPlan | SetIdentityPlan | DropIdentityPlan
_KIND = "generated"


def identity_action(analysis: Analysis, item: ItemView, at: int, command: Any) -> IdentityAction | SkippedAction:
    """Plans the action on the column at a position. Raises SqlError 55000 for a column that is, or is not, an identity
    column already, or that may be NULL."""
    name = command.name
    present = item.identities[at] if item.identities and at < len(item.identities) else None
    if command.subtype == tree.AT_AddIdentity:
        if item.desc.columns[at].nullable:
            raise _refused(analysis, item, name, "must be declared NOT NULL before identity can be added")
        if present is not None:
            raise _refused(analysis, item, name, "is already an identity column")
        if item.defaults[at] is not None:
            raise _refused(analysis, item, name, "already has a default value")
        constraint = getattr(command, "def").constraint
        return AddIdentityPlan(item.id, name, identity_sequence(analysis, constraint, item.desc.columns[at].type))
    if present is None and command.missing_ok:
        message = f'column "{name}" of relation "{item.name.name}" is not an identity column, skipping'
        return SkippedAction(message, Sqlstate.SUCCESSFUL_COMPLETION)
    if present is None:
        raise _refused(analysis, item, name, "is not an identity column")
    if command.subtype == tree.AT_DropIdentity:
        return DropIdentityPlan(item.id, name)
    nodes = getattr(command, "def").list.items
    kinds = [node.def_elem for node in nodes if node.def_elem.defname == _KIND]
    if len(kinds) > 1:
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "conflicting or redundant options", kinds[1].location)
    kind = Identity(chr(kinds[0].arg.integer.ival)) if kinds else None
    others = [node for node in nodes if node.def_elem.defname != _KIND]
    return SetIdentityPlan(item.id, name, kind, sequence_options(analysis, others))


def _refused(analysis: Analysis, item: ItemView, column: str, why: str) -> Exception:
    message = f'column "{column}" of relation "{item.name.name}" {why}'
    return analysis.error(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, message)
