"""EXPLAIN: a statement's plan as text, or the timestamp that it would run at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from model.types.relation_desc import relation_desc
from model.types.scalar_type import TEXT
from planner.plans.explaining import Explained, ExplainedObject, ExplainPlan, ExplainStage
from planner.plans.objects import ObjectKind
from planner.plans.plan import Plan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.statements import select
from planner.statements.changes import delete, insert, update
from planner.statements.connections.access_objects import access_object
from planner.statements.named_object import named_object
from planner.statements.tables import create_table_as
from planner.statements.views import create_index, create_view, subscribe
from planner.syntax.extensions import Extension
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement

_DESCS = {
    ExplainStage.RAW: relation_desc(("Raw Plan", TEXT, False)),
    ExplainStage.OPTIMIZED: relation_desc(("Optimized Plan", TEXT, False)),
    ExplainStage.PHYSICAL: relation_desc(("Physical Plan", TEXT, False)),
    ExplainStage.TIMESTAMP: relation_desc(("Timestamp", TEXT, False)),
}
_QUERY_PLAN = relation_desc(("QUERY PLAN", TEXT, False))
_PLANNERS: dict[str, Callable[[Analysis, ParsedStatement], Plan]] = {
    "select_stmt": select.plan,
    "insert_stmt": insert.plan,
    "update_stmt": update.plan,
    "delete_stmt": delete.plan,
    "create_table_as_stmt": create_table_as.plan,
    "view_stmt": create_view.plan,
    "index_stmt": create_index.plan,
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
    inner = replace(statement, kind=kind, node=getattr(node.query, kind))
    explained = None if planner is None else select.without_locks(planner(analysis, inner))
    if statement.extension.subscribe is not None:
        explained = subscribe.plan_subscribe(analysis, statement.extension.subscribe)
    if not isinstance(explained, Explained):
        raise analysis.unsupported("EXPLAIN of this statement")
    return ExplainPlan(ExplainStage.OPTIMIZED, explained, _QUERY_PLAN)


def plan_extended(
    analysis: Analysis, statement: ParsedStatement, planner: Callable[[Analysis, ParsedStatement], Plan]
) -> ExplainPlan:
    """EXPLAIN … PLAN FOR and EXPLAIN TIMESTAMP FOR."""
    extension: Extension = statement.extension
    assert extension.explain is not None
    stage = ExplainStage(extension.explain)
    if extension.explained is not None:
        kind = ObjectKind(extension.explained)
        if kind is ObjectKind.SINK:
            node = statement.node.from_clause[0].range_var
            item = access_object(analysis, "sink", Place(range_parts(node), node.location))
        else:
            item, _ = named_object(analysis, statement, kind)
        return ExplainPlan(stage, ExplainedObject(kind, item.id), _DESCS[stage])
    explained = select.without_locks(planner(analysis, statement))
    if not isinstance(explained, Explained):
        raise analysis.unsupported("EXPLAIN of this statement")
    return ExplainPlan(stage, explained, _DESCS[stage])
