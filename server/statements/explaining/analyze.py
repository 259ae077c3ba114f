"""EXPLAIN ANALYZE: runs a statement as a client would, writes included, and tells each read with place, rows and time,
and what Spark's operators did for it. The statement's own rows are counted and forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from compute.protocol.measures import OperatorMeasure
from planner.explain import PlanLine, plan_lines
from planner.plans.changes import DeletePlan, InsertPlan, MergePlan, ModifyingPlan, UpdatePlan
from planner.plans.explaining import AnalyzePlan
from planner.plans.locks import LockRowsPlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.tables import CreateTableAsPlan
from server.pgwire.backend import Command, Rows, StatementResult
from server.planning.statement_plans import Planned
from server.statements.explaining.explain import changed_line
from server.statements.explaining.explain_physical import arranged_lines, index_lines
from server.statements.explaining.explain_timestamp import item_name
from server.statements.explaining.told_plan import Fact, PlanNode, ToldPlan, measured, told_rows
from server.statements.statement_session import StatementSession
from server.transactions.execution import Execution
from server.transactions.permissions import require_told
from server.transactions.trace import Trace, TracedRead

_NS_PER_MS = 1e6


async def sequence_analyze(
    plan: AnalyzePlan, planned: Planned, execution: Execution, session: StatementSession
) -> Rows:
    now_ns = execution.environment.clock.elapsed_ns
    began_ns = now_ns()
    inner = await session.planner.planned(plan.statement, planned.statement.parameter_types)
    require_told(inner, execution)
    trace = Trace(now_ns)
    planning_ms = (trace.began_ns - began_ns) / _NS_PER_MS
    result = await session.execute_plan(inner, execution.parameters, trace=trace)
    rows, first_ns = await _drained(result, trace)
    ended_ms = trace.ms(trace.now_ns())
    told = _Told(plan, execution, trace)
    times = (ended_ms if first_ns is None else trace.ms(first_ns), ended_ms)
    summary: dict[str, Fact] = {"Planning Time": planning_ms, "Execution Time": ended_ms} if plan.summary else {}
    return told_rows(plan, ToldPlan([*told.nodes(inner.plan, result, rows, times)], summary))


async def _drained(result: StatementResult, trace: Trace) -> tuple[int, int | None]:
    """Reads all rows; returns how many, and the time of the first."""
    rows, first_ns = 0, None
    if isinstance(result, Rows):
        async for batch in result.batches:
            if batch and first_ns is None:
                first_ns = trace.now_ns()
            rows += len(batch)
    return rows, first_ns


class _Told:
    """Tells of one run."""

    def __init__(self, plan: AnalyzePlan, execution: Execution, trace: Trace) -> None:
        self._plan = plan
        self._execution = execution
        self._trace = trace

    def nodes(self, plan: Plan, result: StatementResult, rows: int, times: tuple[float, float]) -> Iterator[PlanNode]:
        """Yields nodes for the statement, for further changed tables, and for the reads."""
        facts = measured(rows, times if self._plan.timing else None)
        if isinstance(plan, InsertPlan | UpdatePlan | DeletePlan | MergePlan | CreateTableAsPlan):
            facts["Rows Written"] = _count(result, rows)
        yield PlanNode(self._title(plan), facts)
        if isinstance(plan, ModifyingPlan):
            for change in plan.changes:
                if change is not plan.main:
                    yield PlanNode(changed_line(change, self._execution).beneath(1))
        steps = [step for step in self._trace.reads if step.ended_ns is not None]
        for step in steps:
            yield from self._step(step)
        if not steps and isinstance(plan, SelectPlan):
            # Constants of few rows are there without a read.
            for line in plan_lines(plan.query, lambda id_: item_name(id_, self._execution)):
                yield PlanNode(line.beneath(1))

    def _title(self, plan: Plan) -> PlanLine:
        match plan:
            case ModifyingPlan(main=main):
                return self._title(main)
            case SelectPlan():
                return PlanLine(0, "Select")
            case LockRowsPlan():
                return PlanLine(0, "Lock rows")
            case InsertPlan() | UpdatePlan() | DeletePlan() | MergePlan() | CreateTableAsPlan():
                return changed_line(plan, self._execution)
            case _:
                raise AssertionError(f"EXPLAIN ANALYZE does not run {type(plan).__name__}")

    def _step(self, step: TracedRead) -> Iterator[PlanNode]:
        assert step.ended_ns is not None
        ended_ms = self._trace.ms(step.ended_ns)
        first_ms = ended_ms if step.first_ns is None else self._trace.ms(step.first_ns)
        facts = measured(step.rows, (first_ms, ended_ms) if self._plan.timing else None)
        if step.spark_ms is not None and self._plan.timing:
            facts["Spark Time"] = step.spark_ms
        if step.bytes is not None and self._plan.buffers:
            facts["Bytes"] = step.bytes
        if step.access is not None:
            first, *rest = index_lines(step.access, self._execution)
        else:
            assert step.query is not None
            first = PlanLine(0, step.place.value)
            rest = [line.beneath(1) for line in arranged_lines(step.query, step.indexes, self._execution)]
        yield PlanNode(first.beneath(1), facts)
        for line in rest:
            yield PlanNode(line.beneath(1))
        if step.operators:
            yield PlanNode(PlanLine(2, "Spark operators"))
        for operator in step.operators:
            yield self._operator(operator)

    def _operator(self, operator: OperatorMeasure) -> PlanNode:
        facts: dict[str, Fact] = {} if operator.rows is None else measured(operator.rows, None)
        if operator.elapsed_ms is not None and self._plan.timing:
            facts["Operator Time"] = operator.elapsed_ms
        if self._plan.buffers:
            sizes = {"Bytes": operator.bytes, "Spilled Bytes": operator.spilled_bytes}
            facts |= {name: size for name, size in sizes.items() if size is not None}
        return PlanNode(PlanLine(3 + operator.depth, operator.name, operator.detail), facts)


def _count(result: StatementResult, rows: int) -> int:
    """Returns the number of rows in the tag of a statement that writes: 3 in "INSERT 0 3"."""
    tag = result.tag if isinstance(result, Command) else result.tag() if isinstance(result, Rows) else ""
    last = tag.rpartition(" ")[2]
    return int(last) if last.isdigit() else rows
