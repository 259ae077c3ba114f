"""EXPLAIN: a statement's or an object's plan as text, at the stage that is asked for."""

from __future__ import annotations

from model.errors.sql_error import NotSupported
from model.ids.global_id import GlobalId
from planner.explain import explain
from planner.ir.query import AsOf
from planner.plans.changes import DeletePlan, InsertPlan, UpdatePlan
from planner.plans.explaining import ExplainedObject, ExplainPlan, ExplainStage
from planner.plans.objects import ObjectKind
from planner.plans.queries import SelectPlan
from planner.plans.subscribing import SubscribePlan
from planner.plans.tables import CreateTableAsPlan
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan
from server.pgwire.backend import Rows
from server.planning.statement_plans import Planned
from server.statements.explaining.explain_maintained import followed_lines, maintained_lines
from server.statements.explaining.explain_physical import physical_lines
from server.statements.explaining.explain_sink import sink_lines
from server.statements.explaining.explain_timestamp import item_name, timestamp_lines
from server.statements.results import rows_result
from server.transactions.execution import Execution

_Maintained = CreateViewPlan | CreateMaterializedViewPlan | CreateIndexPlan | ExplainedObject


async def sequence_explain(plan: ExplainPlan, planned: Planned, execution: Execution) -> Rows:
    lines = await _lines(plan, planned, execution)
    return rows_result(plan.desc, [(line,) for line in lines], "EXPLAIN")


async def _lines(plan: ExplainPlan, planned: Planned, execution: Execution) -> list[str]:
    statement = plan.statement
    if isinstance(statement, _Maintained):
        if plan.stage is ExplainStage.TIMESTAMP:
            raise NotSupported("EXPLAIN TIMESTAMP of a definition")
        if isinstance(statement, ExplainedObject) and statement.kind is ObjectKind.SINK:
            return sink_lines(execution.catalog, statement.target, lambda id_: item_name(id_, execution))
        return maintained_lines(statement, plan.stage, execution)
    if plan.stage is ExplainStage.TIMESTAMP:
        written = statement.as_of if isinstance(statement, SelectPlan | SubscribePlan) else None
        as_of = written if isinstance(written, AsOf) else None
        return await timestamp_lines(planned, as_of, execution)
    if plan.stage is ExplainStage.PHYSICAL and isinstance(statement, SelectPlan):
        return physical_lines(statement, planned, execution)
    if isinstance(statement, SubscribePlan):
        # The object has no name of its own.
        given = GlobalId.transient(0)
        return followed_lines(given, statement.relation, plan.stage, lambda id_: item_name(id_, execution))
    return _plan_text(statement, execution).splitlines()


def _plan_text(
    statement: SelectPlan | InsertPlan | UpdatePlan | DeletePlan | CreateTableAsPlan, execution: Execution
) -> str:
    def name(id_: GlobalId) -> str:
        return item_name(id_, execution)

    match statement:
        case SelectPlan(query):
            return explain(query, name)
        case CreateTableAsPlan(table=table, source=source):
            return f"Create table {table.name.schema}.{table.name.name}\n" + _indented(explain(source, name))
        case InsertPlan(target=target, source=source):
            return f"Insert into {name(target)}\n" + _indented(explain(source, name))
        case UpdatePlan(target=target, selection=selection):
            return f"Update {name(target)}\n" + _indented(explain(selection, name))
        case DeletePlan(target=target, selection=selection):
            return f"Delete {name(target)}\n" + _indented(explain(selection, name))


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
