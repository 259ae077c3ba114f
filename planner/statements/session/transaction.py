"""BEGIN, COMMIT, ROLLBACK, savepoints, SET CONSTRAINTS."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from postgast import pg_query_pb2 as tree

from planner.plans.plan import Plan
from planner.plans.session import (
    BeginPlan,
    CommitPlan,
    PreparedTransactionPlan,
    RollbackPlan,
    SavepointPlan,
    SetConstraintsPlan,
)
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.syntax.parse import ParsedStatement


def transaction_modes(options: Iterable[Any]) -> tuple[str | None, bool | None, bool | None]:
    """Returns (isolation, read only, deferrable) of a list of transaction modes; None for what it leaves out."""
    isolation: str | None = None
    read_only: bool | None = None
    deferrable: bool | None = None
    for option in options:
        element = option.def_elem
        constant = element.arg.a_const
        match element.defname:
            case "transaction_isolation":
                isolation = constant.sval.sval
            case "transaction_read_only":
                read_only = bool(constant.ival.ival)
            case "transaction_deferrable":
                deferrable = bool(constant.ival.ival)
    return isolation, read_only, deferrable


def plan(analysis: Analysis, statement: ParsedStatement) -> Plan:
    node = statement.node
    match node.kind:
        case tree.TRANS_STMT_BEGIN:
            return BeginPlan(*transaction_modes(node.options))
        case tree.TRANS_STMT_START:
            return BeginPlan(*transaction_modes(node.options), words="START TRANSACTION")
        case tree.TRANS_STMT_COMMIT:
            return CommitPlan(node.chain)
        case tree.TRANS_STMT_ROLLBACK:
            return RollbackPlan(node.chain)
        case tree.TRANS_STMT_SAVEPOINT:
            return SavepointPlan("savepoint", node.savepoint_name)
        case tree.TRANS_STMT_RELEASE:
            return SavepointPlan("release", node.savepoint_name)
        case tree.TRANS_STMT_ROLLBACK_TO:
            return SavepointPlan("rollback_to", node.savepoint_name)
        case tree.TRANS_STMT_PREPARE:
            return PreparedTransactionPlan("PREPARE TRANSACTION", node.gid)
        case tree.TRANS_STMT_COMMIT_PREPARED:
            return PreparedTransactionPlan("COMMIT PREPARED", node.gid)
        case tree.TRANS_STMT_ROLLBACK_PREPARED:
            return PreparedTransactionPlan("ROLLBACK PREPARED", node.gid)
        case _:
            raise AssertionError(f"unknown kind of transaction statement {node.kind}")


def plan_constraints(analysis: Analysis, statement: ParsedStatement) -> SetConstraintsPlan:
    """Plans SET CONSTRAINTS."""
    node = statement.node
    names = tuple(range_parts(each.range_var) for each in node.constraints)
    return SetConstraintsPlan(names or None, node.deferred)
