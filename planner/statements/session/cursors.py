"""DECLARE, FETCH, MOVE, CLOSE."""

from __future__ import annotations

from postgast import pg_query_pb2 as tree

from model.errors.sqlstate import Sqlstate
from planner.plans.session import CloseCursorPlan, DeclareCursorPlan, FetchPlan
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
from planner.scope.planned_query import PlannedQuery
from planner.statements.inner_text import text_after
from planner.statements.times import interval_ms
from planner.statements.views.subscribe import plan_subscribe
from planner.syntax.parse import ParsedStatement

_BINARY, _SCROLL, _NO_SCROLL, _HOLD = 0x0001, 0x0002, 0x0004, 0x0020
_ALL = 2**63 - 1
"""What FETCH ALL counts."""


def plan_declare(analysis: Analysis, statement: ParsedStatement) -> DeclareCursorPlan:
    node = statement.node
    scroll = True if node.options & _SCROLL else False if node.options & _NO_SCROLL else None
    hold, binary = bool(node.options & _HOLD), bool(node.options & _BINARY)
    if statement.extension.subscribe is None:
        _refuse_locked(analysis, plan_query(analysis, node.query, QueryEnvironment()), hold=hold, scroll=scroll is True)
    else:
        plan_subscribe(analysis, statement.extension.subscribe)
        if scroll or node.options & _HOLD:
            word = "SCROLL CURSOR" if scroll else "CURSOR WITH HOLD"
            raise analysis.unsupported(f"DECLARE {word} FOR SUBSCRIBE", hint="A subscription only goes forward.")
        scroll = False
    sql, types = text_after(statement, "for"), analysis.final_parameter_types()
    return DeclareCursorPlan(node.portalname, sql, statement.text, hold, scroll, binary, types)


def _refuse_locked(analysis: Analysis, query: PlannedQuery, *, hold: bool, scroll: bool) -> None:
    """Raises SqlError 0A000 for a query with FOR UPDATE or its kin in a cursor that may outlive its transaction, or go
    back."""
    if not query.locked or not (hold or scroll):
        return
    words = query.locked[0].mode.words
    what = f"DECLARE CURSOR WITH HOLD ... {words}" if hold else f"DECLARE SCROLL CURSOR ... {words}"
    detail = f"{'Holdable' if hold else 'Scrollable'} cursors must be READ ONLY."
    raise analysis.error(Sqlstate.FEATURE_NOT_SUPPORTED, f"{what} is not supported", detail=detail)


def plan_fetch(analysis: Analysis, statement: ParsedStatement) -> FetchPlan:
    node = statement.node
    count = None if node.how_many >= _ALL else node.how_many
    timeout = statement.extension.fetch_timeout
    timeout_ms = None if timeout is None else interval_ms(timeout, "TIMEOUT", zero=True)
    match node.direction:
        case tree.FETCH_BACKWARD:
            return FetchPlan(node.portalname, "backward", count, node.ismove, timeout_ms)
        case tree.FETCH_ABSOLUTE:
            return FetchPlan(node.portalname, "absolute", count, node.ismove, timeout_ms)
        case tree.FETCH_RELATIVE:
            return FetchPlan(node.portalname, "relative", count, node.ismove, timeout_ms)
        case _:
            return FetchPlan(node.portalname, "forward", count, node.ismove, timeout_ms)


def plan_close(analysis: Analysis, statement: ParsedStatement) -> CloseCursorPlan:
    return CloseCursorPlan(statement.node.portalname or None)
