"""The controller's word on dataflows, as system relations want it."""

from __future__ import annotations

from catalog.builtin.snapshot import MaintainedStatus
from catalog.items import Maintained
from catalog.state import CatalogState
from compute.protocol.response import DataflowPhase
from model.global_id import GlobalId
from server.coordinator.maintained.dataflows import Dataflows


def maintained_statuses(dataflows: Dataflows, state: CatalogState) -> tuple[MaintainedStatus, ...]:
    """Of all indexes and materialized views, by id."""
    items = sorted(state.items.values(), key=lambda item: item.id)
    maintained = [(item.id, item.definition) for item in items if isinstance(item.definition, Maintained)]
    ids = {definition.collection: id_ for id_, definition in maintained}
    return tuple(_status(dataflows, id_, definition.collection, ids) for id_, definition in maintained)


def _status(
    dataflows: Dataflows, item: GlobalId, collection: GlobalId, ids: dict[GlobalId, GlobalId]
) -> MaintainedStatus:
    if collection not in dataflows:
        error = dataflows.failed.get(item)
        reason = "not installed" if error is None else error.message
        return MaintainedStatus(item, (), DataflowPhase.FAILING.value, False, 0, 0, reason, 0)
    status = dataflows.status(collection)
    bounds = dataflows.bounds(collection)
    inputs = tuple(ids.get(id_, id_) for id_ in dataflows.inputs_of(collection))
    return MaintainedStatus(
        id=item,
        inputs=inputs,
        status=status.phase.value,
        hydrated=bounds.upper != bounds.since,
        rows=status.rows,
        rows_total=status.rows_total,
        reason=status.message or None,
        retries=status.retries,
    )
