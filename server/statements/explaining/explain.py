"""EXPLAIN: a statement's or an object's plan, at the stage that is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import assert_never

from model.errors.sql_error import NotSupported
from model.ids.global_id import GlobalId
from planner.explain import PlanLine, plan_lines
from planner.ir.query import AsOf
from planner.plans.changes import DeletePlan, InsertPlan, MergePlan, RowChange, UpdatePlan
from planner.plans.explaining import OF_TICKS, ExplainedObject, ExplainPlan, ExplainStage
from planner.plans.objects import ObjectKind
from planner.plans.queries import SelectPlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan
from planner.rules.pipeline import optimize_followed
from server.pgwire.backend import Rows
from server.planning.long_texts import planned_apart
from server.planning.statement_plans import Planned
from server.statements.explaining.explain_maintained import followed_lines, maintained_lines
from server.statements.explaining.explain_physical import physical_lines
from server.statements.explaining.explain_sink import sink_lines
from server.statements.explaining.explain_ticks import ticks_told
from server.statements.explaining.explain_timestamp import item_name, timestamp_lines
from server.statements.explaining.told_plan import PlanNode, ToldPlan, text_lines, told_rows
from server.transactions.execution import Execution

_Maintained = CreateViewPlan | CreateMaterializedViewPlan | CreateIndexPlan | ExplainedObject


async def sequence_explain(plan: ExplainPlan, planned: Planned, execution: Execution) -> Rows:
    if plan.stage in OF_TICKS:
        assert isinstance(plan.statement, ExplainedObject), "the grammar has it of objects alone"
        return told_rows(plan, await ticks_told(plan.statement, plan.stage, execution))
    lines = await _lines(plan, planned, execution)
    return told_rows(plan, ToldPlan([*map(PlanNode, lines)]))


async def _lines(plan: ExplainPlan, planned: Planned, execution: Execution) -> Iterable[PlanLine]:
    statement = plan.statement
    if isinstance(statement, _Maintained):
        if plan.stage is ExplainStage.TIMESTAMP:
            raise NotSupported("EXPLAIN TIMESTAMP of a definition")
        if isinstance(statement, ExplainedObject) and statement.kind is ObjectKind.SINK:
            return text_lines(sink_lines(execution.catalog, statement.target, lambda id_: item_name(id_, execution)))
        return text_lines(await maintained_lines(statement, plan.stage, execution))
    if plan.stage is ExplainStage.TIMESTAMP:
        written = statement.as_of if isinstance(statement, SelectPlan | SubscribePlan) else None
        as_of = written if isinstance(written, AsOf) else None
        return text_lines(await timestamp_lines(planned, as_of, execution))
    if plan.stage is ExplainStage.PHYSICAL and isinstance(statement, SelectPlan):
        return physical_lines(statement, planned, execution)
    if isinstance(statement, SubscribePlan):
        # The object has no name of its own.
        given = GlobalId.transient(0)
        names = partial(item_name, execution=execution)
        relation = statement.relation
        if planned.reads.user:
            relation = await planned_apart(optimize_followed, relation)
        return text_lines(await planned_apart(followed_lines, given, relation, plan.stage, names))
    return _statement_lines(statement, execution)


def _statement_lines(
    statement: SelectPlan | InsertPlan | UpdatePlan | DeletePlan | MergePlan | CreateTableAsPlan, execution: Execution
) -> Iterator[PlanLine]:
    def name(id_: GlobalId) -> str:
        return item_name(id_, execution)

    if isinstance(statement, SelectPlan):
        yield from plan_lines(statement.query, name)
        return
    yield changed_line(statement, execution)
    read = statement.selection if isinstance(statement, UpdatePlan | DeletePlan | MergePlan) else statement.source
    for line in plan_lines(read, name):
        yield line.beneath(1)


def changed_line(statement: RowChange | MergePlan | CreateTableAsPlan, execution: Execution) -> PlanLine:
    """Returns the line of a writing statement: the kind of write, and the table."""
    match statement:
        case CreateTableAsPlan(table=table):
            return PlanLine(0, "Create table", f"{table.name.schema}.{table.name.name}")
        case InsertPlan(target=target):
            return PlanLine(0, "Insert", f"into {item_name(target, execution)}")
        case UpdatePlan(target=target):
            return PlanLine(0, "Update", item_name(target, execution))
        case DeletePlan(target=target):
            return PlanLine(0, "Delete", item_name(target, execution))
        case MergePlan(target=target):
            return PlanLine(0, "Merge", f"into {item_name(target, execution)}")
        case _:
            assert_never(statement)
