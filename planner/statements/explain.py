"""EXPLAIN: a statement's plan as text or JSON, the timestamp of its reads, or with ANALYZE an account of its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from model.errors.sqlstate import Sqlstate
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import JSON, TEXT
from planner.plans.changes import DeletePlan, InsertPlan, MergePlan, ModifyingPlan, UpdatePlan
from planner.plans.explaining import (
    OF_TICKS,
    AnalyzePlan,
    Explained,
    ExplainedObject,
    ExplainExecutePlan,
    ExplainFormat,
    ExplainPlan,
    ExplainStage,
)
from planner.plans.locks import LockRowsPlan
from planner.plans.objects import ObjectKind
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.tables import CreateTableAsPlan
from planner.scope.analysis import Analysis
from planner.scope.names import range_parts
from planner.statements import select
from planner.statements.changes import delete, insert, merge, update
from planner.statements.connections.access_objects import access_object
from planner.statements.inner_text import text_before
from planner.statements.named_object import named_object
from planner.statements.session import prepare
from planner.statements.tables import create_table_as
from planner.statements.views import create_index, create_view, subscribe
from planner.syntax.extensions import Extension
from planner.syntax.own_statements import Place
from planner.syntax.parse import ParsedStatement, is_on

_DESCS = {
    ExplainStage.RAW: relation_desc(("Raw Plan", TEXT, False)),
    ExplainStage.OPTIMIZED: relation_desc(("Optimized Plan", TEXT, False)),
    ExplainStage.PHYSICAL: relation_desc(("Physical Plan", TEXT, False)),
    ExplainStage.TIMESTAMP: relation_desc(("Timestamp", TEXT, False)),
}
_QUERY_PLAN = relation_desc(("QUERY PLAN", TEXT, False))
_QUERY_PLAN_JSON = relation_desc(("QUERY PLAN", JSON, False))
_DESCS |= dict.fromkeys(OF_TICKS, _QUERY_PLAN)
_PLANNERS: dict[str, Callable[[Analysis, ParsedStatement], Plan]] = {
    "select_stmt": select.plan,
    "insert_stmt": insert.plan,
    "update_stmt": update.plan,
    "delete_stmt": delete.plan,
    "merge_stmt": merge.plan,
    "create_table_as_stmt": create_table_as.plan,
    "view_stmt": create_view.plan,
    "index_stmt": create_index.plan,
}
_WITH_ANALYZE = ("timing", "wal")
_OPTIONS = frozenset(
    ("analyze", "verbose", "costs", "settings", "buffers", "wal", "timing", "summary", "generic_plan", "format")
)
_OTHER_FORMATS = ("xml", "yaml")
_RUN = SelectPlan | LockRowsPlan | InsertPlan | UpdatePlan | DeletePlan | MergePlan | ModifyingPlan | CreateTableAsPlan


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of an EXPLAIN: those that are on or off, where they are given, and the format."""

    values: Mapping[str, bool]
    format: ExplainFormat

    def on(self, name: str, *, default: bool) -> bool:
        return self.values.get(name, default)

    @property
    def desc(self) -> RelationDesc:
        return _QUERY_PLAN if self.format is ExplainFormat.TEXT else _QUERY_PLAN_JSON


def _options(analysis: Analysis, statement: ParsedStatement) -> _Options:
    """Reads the options; raises SqlError with PostgreSQL's words for those that there are not."""
    values: dict[str, bool] = {}
    format_ = ExplainFormat.TEXT
    for option in statement.node.options:
        element = option.def_elem
        name = element.defname
        if name not in _OPTIONS:
            message = f'unrecognized EXPLAIN option "{name}"'
            raise analysis.error(Sqlstate.SYNTAX_ERROR, message, element.location)
        if name == "format":
            format_ = _format(analysis, element)
            continue
        value = is_on(element)
        if value is None:
            raise analysis.error(Sqlstate.SYNTAX_ERROR, f"{name} requires a Boolean value")
        values[name] = value
    for name in _WITH_ANALYZE:
        if values.get(name) and not values.get("analyze"):
            message = f"EXPLAIN option {name.upper()} requires ANALYZE"
            raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
    if values.get("generic_plan") and values.get("analyze"):
        message = "EXPLAIN options ANALYZE and GENERIC_PLAN cannot be used together"
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message)
    return _Options(values, format_)


def _format(analysis: Analysis, element: Any) -> ExplainFormat:
    if not element.HasField("arg"):
        raise analysis.error(Sqlstate.SYNTAX_ERROR, "format requires a parameter")
    word = str(element.arg.string.sval)
    if word in _OTHER_FORMATS:
        raise analysis.unsupported(f"EXPLAIN FORMAT {word.upper()}", element.location, hint="TEXT and JSON are.")
    if word not in set(ExplainFormat):
        message = f'unrecognized value for EXPLAIN option "format": "{word}"'
        raise analysis.error(Sqlstate.INVALID_PARAMETER_VALUE, message, element.location)
    return ExplainFormat(word)


def plan(analysis: Analysis, statement: ParsedStatement) -> ExplainPlan | ExplainExecutePlan:
    """Plans EXPLAIN: as PostgreSQL's, it shows the optimized plan."""
    options, inner = _options(analysis, statement), statement.explained
    if inner.kind == "execute_stmt":
        return _explained_execution(analysis, statement, options)
    planner = _PLANNERS.get(inner.kind)
    explained = None if planner is None else select.without_locks(planner(analysis, inner))
    if statement.extension.subscribe is not None:
        explained = subscribe.plan_subscribe(analysis, statement.extension.subscribe)
    if not isinstance(explained, Explained):
        raise analysis.unsupported("EXPLAIN of this statement")
    return ExplainPlan(ExplainStage.OPTIMIZED, explained, options.desc, options.format)


def plan_analyze(
    analysis: Analysis, statement: ParsedStatement, planner: Callable[[Analysis, ParsedStatement], Plan]
) -> AnalyzePlan | ExplainExecutePlan:
    """Plans EXPLAIN ANALYZE. The statement is planned here for what it means, and again when it is run."""
    options, inner = _options(analysis, statement), statement.explained
    if inner.kind == "execute_stmt":
        return _explained_execution(analysis, statement, options)
    if inner.kind not in _PLANNERS or statement.extension.subscribe is not None:
        raise analysis.unsupported("EXPLAIN ANALYZE of this statement")
    if not isinstance(planner(analysis, inner), _RUN):
        raise analysis.unsupported("EXPLAIN ANALYZE of this statement")
    timing, summary = options.on("timing", default=True), options.on("summary", default=True)
    buffers = options.on("buffers", default=False)
    return AnalyzePlan(inner, options.desc, options.format, timing, summary, buffers)


def _explained_execution(analysis: Analysis, statement: ParsedStatement, options: _Options) -> ExplainExecutePlan:
    execute = prepare.plan_execute(analysis, statement.explained)
    return ExplainExecutePlan(text_before(statement, "execute"), execute, options.desc)


def plan_extended(
    analysis: Analysis, statement: ParsedStatement, planner: Callable[[Analysis, ParsedStatement], Plan]
) -> ExplainPlan:
    """Plans EXPLAIN … PLAN FOR and EXPLAIN TIMESTAMP FOR."""
    extension: Extension = statement.extension
    assert extension.explain is not None
    stage = ExplainStage(extension.explain)
    format_ = ExplainFormat(extension.explain_format)
    desc = _DESCS[stage] if format_ is ExplainFormat.TEXT else _QUERY_PLAN_JSON
    if extension.explained is not None:
        kind = ObjectKind(extension.explained)
        if kind is ObjectKind.SINK:
            node = statement.node.from_clause[0].range_var
            item = access_object(analysis, "sink", Place(range_parts(node), node.location))
        else:
            item, _ = named_object(analysis, statement, kind)
        return ExplainPlan(stage, ExplainedObject(kind, item.id), desc, format_)
    explained = select.without_locks(planner(analysis, statement))
    if not isinstance(explained, Explained):
        raise analysis.unsupported("EXPLAIN of this statement")
    return ExplainPlan(stage, explained, desc, format_)
