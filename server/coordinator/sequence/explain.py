"""EXPLAIN: the plan as text, raw or optimized; EXPLAIN TIMESTAMP: which time a read would happen at, and why."""

from __future__ import annotations

import datetime
from contextlib import ExitStack

from model.global_id import GlobalId
from planner.explain import explain
from planner.plans import ExplainPlan, ExplainStage, InsertPlan, SelectPlan
from server.coordinator.execution import Execution
from server.coordinator.planning import ReadSet
from server.coordinator.reading import Reader
from server.coordinator.sequence.results import rows_result
from server.pgwire.backend import Rows


async def sequence_explain(plan: ExplainPlan, reads: ReadSet, execution: Execution) -> Rows:
    if plan.stage is ExplainStage.TIMESTAMP:
        lines = await _timestamp_lines(plan, reads, execution)
    else:
        lines = _plan_text(plan, execution).splitlines()
    return rows_result(plan.desc, [(line,) for line in lines], "EXPLAIN")


def _plan_text(plan: ExplainPlan, execution: Execution) -> str:
    def name(id_: GlobalId) -> str:
        return _name(id_, execution)

    match plan.statement:
        case SelectPlan(query):
            return explain(query, name)
        case InsertPlan(target=target, source=source):
            return f"Insert into {name(target)}\n" + _indented(explain(source, name))
        case statement:
            verb = type(statement).__name__.removesuffix("Plan")
            return f"{verb} {name(statement.target)}\n" + _indented(explain(statement.selection, name))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def _name(id_: GlobalId, execution: Execution) -> str:
    item = execution.catalog.items.get(id_)
    if item is None:
        return str(id_)
    return f"{execution.catalog.full_name(item)} ({id_})"


async def _timestamp_lines(plan: ExplainPlan, reads: ReadSet, execution: Execution) -> list[str]:
    statement = plan.statement
    as_of = statement.as_of if isinstance(statement, SelectPlan) else None
    reader = Reader(execution.environment, execution)
    with ExitStack() as holds:
        answer = await reader.choose(reads, set(reads.user), as_of, holds)
    frontiers = execution.environment.storage.frontiers
    wall = datetime.datetime.fromtimestamp(answer.timestamp / 1000, datetime.UTC)
    lines = [
        f"                query timestamp: {answer.timestamp} ({wall:%Y-%m-%d %H:%M:%S.%f})",
        f"          oracle read timestamp: {answer.read_ts}",
        f"largest not in advance of upper: {'-' if answer.upper.time is None else answer.upper.time - 1}",
        f"                          upper: {answer.upper}",
        f"                          since: {answer.since}",
        f"        can respond immediately: {str(answer.complete).lower()}",
        "",
        "reasons:",
        *(f"  {reason}" for reason in answer.reasons),
    ]
    for id_ in sorted(reads.user):
        bounds = frontiers(id_)
        lines += [
            "",
            f"source {_name(id_, execution)}:",
            f"  read frontier:  {bounds.since}",
            f"  write frontier: {bounds.upper}",
        ]
    return lines
