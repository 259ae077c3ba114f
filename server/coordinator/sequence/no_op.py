"""Statements that are accepted and have nothing to do here."""

from __future__ import annotations

from model.errors import Severity
from model.sqlstate import Sqlstate
from planner.plans import NoOpPlan
from server.coordinator.sequence.statement_session import StatementSession
from server.pgwire.backend import Command


def sequence_no_op(plan: NoOpPlan, session: StatementSession) -> Command:
    if plan.notice is not None:
        session.notice(Severity.NOTICE, Sqlstate.SUCCESSFUL_COMPLETION, plan.notice)
    return Command(plan.tag)
