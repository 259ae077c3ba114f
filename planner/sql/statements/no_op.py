"""Statements that are accepted and have nothing to do here, or that Headwater refuses by name."""

from __future__ import annotations

from planner.plans import NoOpPlan
from planner.sql.analysis import Analysis
from planner.sql.parse import ParsedStatement


def plan_vacuum(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("VACUUM" if statement.node.is_vacuumcmd else "ANALYZE")


def plan_reindex(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("REINDEX", "indexes are kept as what they are on changes, and need no REINDEX")


def plan_checkpoint(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("CHECKPOINT")


def plan_comment(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    return NoOpPlan("COMMENT", "comments are not kept")


def plan_lock(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    """Transactions are strictly serializable without locks."""
    return NoOpPlan("LOCK TABLE")


def plan_listen(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    raise analysis.unsupported("LISTEN")


def plan_unlisten(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    """Nothing listens, so there is nothing to stop; drivers send this when they give a connection back."""
    return NoOpPlan("UNLISTEN")


def plan_notify(analysis: Analysis, statement: ParsedStatement) -> NoOpPlan:
    raise analysis.unsupported("NOTIFY")
