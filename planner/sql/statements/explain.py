"""EXPLAIN: a statement's plan as text, or the timestamp that it would run at."""

from __future__ import annotations

from collections.abc import Callable

from model.relation_desc import relation_desc
from model.scalar_type import TEXT
from planner.plans import DeletePlan, ExplainPlan, ExplainStage, InsertPlan, Plan, SelectPlan, UpdatePlan
from planner.sql.analysis import Analysis
from planner.sql.extensions import Extension
from planner.sql.parse import ParsedStatement
from planner.sql.statements import delete, insert, select, update

_DESCS = {
    ExplainStage.RAW: relation_desc(("Raw Plan", TEXT, False)),
    ExplainStage.OPTIMIZED: relation_desc(("Optimized Plan", TEXT, False)),
    ExplainStage.TIMESTAMP: relation_desc(("Timestamp", TEXT, False)),
}
_QUERY_PLAN = relation_desc(("QUERY PLAN", TEXT, False))
_PLANNERS: dict[str, Callable[[Analysis, ParsedStatement], Plan]] = {
    "select_stmt": select.plan,
    "insert_stmt": insert.plan,
    "update_stmt": update.plan,
    "delete_stmt": delete.plan,
}
_IGNORED_OPTIONS = frozenset(("verbose", "costs", "settings", "buffers", "wal", "timing", "summary", "generic_plan"))


def plan(analysis: Analysis, statement: ParsedStatement) -> ExplainPlan:
    """PostgreSQL's EXPLAIN shows the optimized plan."""
    node = statement.node
    for option in node.options:
        element = option.def_elem
        if element.defname == "format" and element.arg.string.sval.lower() == "text":
            continue
        if element.defname not in _IGNORED_OPTIONS:
            raise analysis.unsupported(f"EXPLAIN {element.defname.upper()}", element.location)
    kind = node.query.WhichOneof("node")
    planner = _PLANNERS.get(kind)
    if planner is None:
        raise analysis.unsupported("EXPLAIN of this statement")
    inner = ParsedStatement(
        statement.source, statement.text, statement.offset, kind, getattr(node.query, kind), statement.extension
    )
    explained = planner(analysis, inner)
    assert isinstance(explained, SelectPlan | InsertPlan | UpdatePlan | DeletePlan)
    return ExplainPlan(ExplainStage.OPTIMIZED, explained, _QUERY_PLAN)


def plan_extended(
    analysis: Analysis, statement: ParsedStatement, planner: Callable[[Analysis, ParsedStatement], Plan]
) -> ExplainPlan:
    """EXPLAIN … PLAN FOR and EXPLAIN TIMESTAMP FOR."""
    extension: Extension = statement.extension
    assert extension.explain is not None
    explained = planner(analysis, statement)
    if not isinstance(explained, SelectPlan | InsertPlan | UpdatePlan | DeletePlan):
        raise analysis.unsupported("EXPLAIN of this statement")
    stage = ExplainStage(extension.explain)
    return ExplainPlan(stage, explained, _DESCS[stage])
