"""EXPLAIN of views, materialized views and indexes: the computation, and the maintenance of each step."""

from __future__ import annotations

from collections.abc import Iterable

from catalog.changes.apply import apply
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    Composite,
    Computed,
    Domain,
    Enum,
    FunctionDefinition,
    Index,
    Item,
    MaterializedView,
    MultirangeDefinition,
    RangeDefinition,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.sinks import Sink, SinkProgress
from catalog.nouns.sources import Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource
from catalog.state.catalog_state import CatalogState
from catalog.translation.statements import translate
from compute.maintain.description import describe, recomputed
from compute.maintain.planning.maintained import plan_maintenance
from compute.maintain.steps.parts import Texts
from model.ids.global_id import GlobalId
from planner.explain import Names, explain, explain_scalar
from planner.ir.relation import Get, Relation
from planner.plans.explaining import ExplainedObject, ExplainStage
from planner.plans.views import CreateIndexPlan, CreateMaterializedViewPlan, CreateViewPlan
from server.planning.long_texts import planned_apart
from server.transactions.execution import Execution

Created = CreateViewPlan | CreateMaterializedViewPlan | CreateIndexPlan


async def maintained_lines(
    statement: Created | ExplainedObject, stage: ExplainStage, execution: Execution
) -> list[str]:
    """Explains an existing object, or one that the statement would create. Raises SqlError as of CREATE."""
    state = execution.catalog
    if isinstance(statement, ExplainedObject):
        item = state.items[statement.target]
        shared = _shared_lines(item, state, execution) if stage is ExplainStage.PHYSICAL else []
        return await planned_apart(_lines, item, state, stage, execution) + shared
    after = _created(statement, execution)
    changed = [item for id_, item in after.items.items() if id_ not in state.items or _changed(state, item)]
    # With IF NOT EXISTS there may be nothing to create.
    return await planned_apart(_lines, changed[0], after, stage, execution) if changed else []


def _shared_lines(item: Item, state: CatalogState, execution: Execution) -> list[str]:
    """Returns the objects that share the dataflow, as last reported by the replica."""
    dataflows = execution.environment.dataflows
    if not isinstance(item.definition, Computed) or item.definition.collection not in dataflows:
        return []
    measures = dataflows.measures(item.definition.collection)
    exports = () if measures is None else measures.exports
    shared = [each for each in state.items.values() if each.id != item.id and _is_among(each, exports)]
    return [f"Shares its dataflow with {state.full_name(each)} ({each.id})" for each in shared]


def _is_among(item: Item, exports: Iterable[GlobalId]) -> bool:
    return isinstance(item.definition, Computed) and item.definition.collection in exports


def _created(statement: Created, execution: Execution) -> CatalogState:
    """Returns the catalog after the statement; its new ids are not used again."""
    asker, allocator = execution.asker, execution.environment.catalog.allocator
    translation = translate(statement, execution.catalog, execution.ddl_session, allocator, asker.now_ms())
    return apply(execution.catalog, translation.changes)


def _changed(before: CatalogState, item: Item) -> bool:
    return before.items[item.id].definition != item.definition


def _lines(item: Item, state: CatalogState, stage: ExplainStage, execution: Execution) -> list[str]:
    def name(id_: GlobalId) -> str:
        known = state.items.get(id_)
        return str(id_) if known is None else f"{state.full_name(known)} ({id_})"

    lines = []
    on = item
    if isinstance(item.definition, Index):
        on = state.items[item.definition.on.id]
        key = execution.environment.planning.index_key(state, item.definition)
        lines.append(f"Index {name(item.id)} on {name(on.id)} by {', '.join(map(explain_scalar, key)) or 'nothing'}")
    return lines + followed_lines(on.id, _relation(on, state, execution), stage, name)


def followed_lines(id_: GlobalId, relation: Relation, stage: ExplainStage, name: Names) -> list[str]:
    """Explains the computation of the object `id_`, or the maintenance of each step."""
    if stage is not ExplainStage.PHYSICAL:
        return explain(relation, name).splitlines()
    plan = plan_maintenance(((id_, relation),), (id_,))
    lines = describe(plan, Texts(lambda each: explain(each, name), explain_scalar))
    return [*lines, *(f"Recomputed at each change: {text}" for text in recomputed(plan))]


def _relation(item: Item, state: CatalogState, execution: Execution) -> Relation:
    match item.definition:
        case View() | MaterializedView() | SourceProgress() | SinkProgress():
            return execution.environment.planning.maintained_relation(state, item.id)
        case Table() | Source() | SourceTable() | WebhookSource():
            return Get(item.id, item.desc)
        case Index() | SequenceDefinition() | Enum() | Domain() | Composite() | Secret() | Connection() | Sink():
            raise AssertionError("an index is on a relation that is no index")
        case FunctionDefinition() | RangeDefinition() | MultirangeDefinition():
            raise AssertionError("a function has no rows, nor has a type")
