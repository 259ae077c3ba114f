"""COMMENT ON, and statements that are accepted and have nothing to do here."""

from __future__ import annotations

from catalog.changes import SetComment
from model.errors import Severity
from model.sqlstate import Sqlstate
from planner.plans.objects import CommentPlan
from planner.plans.plan import NoOpPlan
from server.coordinator.execution import Execution
from server.coordinator.sequence.statement_session import StatementSession
from server.pgwire.backend import Command


def sequence_comment(plan: CommentPlan, execution: Execution) -> Command:
    execution.transaction.require_writable("COMMENT")
    execution.change_catalog(SetComment(plan.oid, plan.column, plan.text))
    return Command("COMMENT")


def sequence_no_op(plan: NoOpPlan, session: StatementSession) -> Command:
    if plan.notice is not None:
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, plan.notice)
    return Command(plan.tag)
