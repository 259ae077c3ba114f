"""Checks whether new items can be maintained, and how: refusals and notices at the statement, not at COMMIT."""

from __future__ import annotations

from catalog.builtin.registry import builtin_with_id
from catalog.nouns.items import Item, MaterializedView, WrittenDefinition
from catalog.nouns.notices import Notice
from catalog.state.catalog_state import CatalogState
from compute.maintain.description import recomputed
from compute.maintain.plan import MaintenancePlan, size_of_plan
from compute.maintain.planning.determinism import settled
from compute.maintain.planning.maintained import plan_maintenance
from compute.protocol.command import CreateDataflow
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.vocabulary import require_sendable
from model.errors.sql_error import NotSupported
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import Namespace
from planner.ir.relation import Get, Relation
from planner.ir.size import UNFOLDED_MAX, too_large
from server.objects.maintained.commits import differences
from server.objects.maintained.description import outline
from server.planning.definitions import Definitions
from server.planning.statement_plans import Planning


def check_maintainable(before: CatalogState, after: CatalogState, planning: Planning) -> list[Notice]:
    """Returns notices about created or rebuilt items. Raises SqlError 0A000 for items that can't be maintained, or
    would be recomputed against the user's setting."""
    notices = []
    for item in differences(before, after).created:
        description = outline(after, item, planning).description
        _refuse_system_relations(item, description)
        plan = maintenance_of(description)
        if size_of_plan(plan) > UNFOLDED_MAX:
            raise too_large()
        require_sendable(CreateDataflow(description))
        whole = recomputed(plan)
        if whole:
            if isinstance(item.definition, MaterializedView) and item.definition.strict:
                hint = "Leave INCREMENTAL = STRICT out to have it recomputed at each change."
                raise NotSupported(f'maintaining "{item.name}" incrementally ({"; ".join(whole)})', hint=hint)
            message = f'part of {item.kind.value} "{item.name}" is recomputed at each change: {"; ".join(whole)}'
            notices.append(Notice(Sqlstate.SUCCESSFUL_COMPLETION, message))
    return notices


def maintenance_of(description: DataflowDescription) -> MaintenancePlan:
    """Returns a dataflow's maintenance plan; raises SqlError 0A000 without one."""
    built = tuple(id_ for id_, _ in description.objects)
    return plan_maintenance(description.objects, built)


def _refuse_system_relations(item: Item, description: DataflowDescription) -> None:
    for each in description.imports:
        if each.id.namespace is Namespace.SYSTEM:
            builtin = builtin_with_id(each.id)
            name = str(each.id) if builtin is None else f"{builtin.schema}.{builtin.name}"
            raise NotSupported(f"a maintained {item.kind.value} over the system relation {name}")


def settled_relation(state: CatalogState, item: Item) -> Relation:
    """Returns an item's contents by definition, over tables alone and with the settings of maintenance; planned
    afresh."""
    planning = Definitions()
    if isinstance(item.definition, WrittenDefinition):
        return Get(item.id, item.desc)
    relation = planning.unfolded(planning.maintained_relation(state, item.id), state, lambda id_: True)
    return settled(relation)
