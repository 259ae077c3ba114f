"""DECLARE, FETCH, MOVE, CLOSE."""

from __future__ import annotations

from postgast import pg_query_pb2 as tree

from planner.plans.session import CloseCursorPlan, DeclareCursorPlan, FetchPlan
from planner.query.query import plan_query
from planner.scope.analysis import Analysis
from planner.scope.environment import QueryEnvironment
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
    if statement.extension.subscribe is None:
        plan_query(analysis, node.query, QueryEnvironment())
    else:
        plan_subscribe(analysis, statement.extension.subscribe)
        if scroll or node.options & _HOLD:
            word = "SCROLL CURSOR" if scroll else "CURSOR WITH HOLD"
            raise analysis.unsupported(f"DECLARE {word} FOR SUBSCRIBE", hint="A subscription only goes forward.")
        scroll = False
    hold, binary = bool(node.options & _HOLD), bool(node.options & _BINARY)
    sql, types = text_after(statement, "for"), analysis.final_parameter_types()
    return DeclareCursorPlan(node.portalname, sql, statement.text, hold, scroll, binary, types)


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
