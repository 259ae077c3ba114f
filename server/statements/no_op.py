"""COMMENT ON, and statements that are accepted and have nothing to do here."""

from __future__ import annotations

from catalog.changes.change import SetComment
from catalog.changes.policies import policy_named
from catalog.facts.constraints import named_constraints
from catalog.facts.roles.decide import require_owner
from catalog.facts.roles.row_security import require_owner_of_policies
from catalog.facts.roles.securables import securable
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from planner.plans.objects import CommentPlan
from planner.plans.plan import NoOpPlan
from server.pgwire.backend import Command
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution


def sequence_comment(plan: CommentPlan, execution: Execution) -> Command:
    execution.transaction.require_writable("COMMENT")
    oid = plan.oid
    if plan.policy is not None:
        oid = _policy(plan.oid, plan.policy, execution)
    elif plan.constraint is not None:
        of = securable(execution.catalog, plan.oid)
        if of is not None:
            require_owner(execution.catalog, execution.role, of)
        oid = _constraint(plan.oid, plan.constraint, execution.catalog)
    execution.change_catalog(SetComment(oid, plan.column, plan.text))
    return Command("COMMENT")


def _policy(table: int, name: str, execution: Execution) -> int:
    """Returns a policy's oid. Raises 42704 when the table has none of the name, 42501 for who does not own the
    table."""
    item = execution.catalog.item_by_oid(table)
    if item is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "what is commented on has been dropped")
    policy = policy_named(item, name)
    require_owner_of_policies(execution.catalog, execution.role, item)
    return policy.oid


def _constraint(owner: int, name: str, state: CatalogState) -> int:
    """Returns a constraint's oid. Raises 42704 when the table or domain has none of the name."""
    item = state.item_by_oid(owner)
    for found, oid in () if item is None else named_constraints(state, item):
        if found == name:
            return oid
    shown = "" if item is None else item.name
    kind = "domain" if item is not None and item.type is not None else "table"
    raise SqlError(Sqlstate.UNDEFINED_OBJECT, f'constraint "{name}" for {kind} "{shown}" does not exist')


def sequence_no_op(plan: NoOpPlan, session: StatementSession) -> Command:
    if plan.notice is not None:
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, plan.notice)
    return Command(plan.tag)
