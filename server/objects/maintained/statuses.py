"""The controller's statuses of dataflows, for system relations."""

from __future__ import annotations

import datetime
from dataclasses import replace

from catalog.declared.dataflow_status import (
    ArrangementStatus,
    CheckpointStatus,
    MaintainedStatus,
    MoveStatus,
    RepairStatus,
    TickStatus,
)
from catalog.nouns.items import Computed
from catalog.state.catalog_state import CatalogState
from compute.protocol.measures import CheckpointMeasure, RepairMeasure, TickMeasure
from compute.protocol.response import DataflowMeasures, DataflowPhase
from model.ids.global_id import GlobalId
from server.objects.maintained.dataflow_words import UNKNOWN, Arrangements
from server.objects.maintained.dataflows import DataflowMove, MaintainedDataflows


def maintained_statuses(dataflows: MaintainedDataflows, state: CatalogState) -> tuple[MaintainedStatus, ...]:
    """Returns the statuses of all indexes, materialized views and sinks of views, by id."""
    items = sorted(state.items.values(), key=lambda item: item.id)
    maintained = [(item.id, item.definition) for item in items if isinstance(item.definition, Computed)]
    ids = {definition.collection: id_ for id_, definition in maintained}
    return tuple(_status(dataflows, id_, definition.collection, ids) for id_, definition in maintained)


def move_statuses(dataflows: MaintainedDataflows) -> tuple[MoveStatus, ...]:
    """Returns how far the moves to other clusters are, the oldest first."""
    built = dataflows.controller.arriving.keys() | set(dataflows)
    return tuple(_move(dataflows, *each) for each in dataflows.moves.items() if each[0] in built)


def _move(dataflows: MaintainedDataflows, collection: GlobalId, move: DataflowMove) -> MoveStatus:
    arriving = dataflows.controller.arriving.get(collection)
    status = dataflows.status(collection) if arriving is None else arriving.status
    place = move.item, move.old_cluster, move.new_cluster, _at(move.begun_ms)
    return MoveStatus(*place, status.phase.value, status.message or None, status.rows, status.rows_total)


def _status(
    dataflows: MaintainedDataflows, item: GlobalId, collection: GlobalId, ids: dict[GlobalId, GlobalId]
) -> MaintainedStatus:
    if collection not in dataflows:
        return MaintainedStatus(item, (), DataflowPhase.FAILING.value, False, 0, 0, dataflows.failure(item), 0)
    status = dataflows.status(collection)
    bounds = dataflows.bounds(collection)
    words = dataflows.words(collection)
    inputs = tuple(ids.get(id_, id_) for id_ in dataflows.inputs_of(collection))
    known = MaintainedStatus(
        id=item,
        inputs=inputs,
        status=status.phase.value,
        hydrated=bounds.upper != bounds.since,
        rows=status.rows,
        rows_total=status.rows_total,
        reason=status.message or None,
        retries=status.retries,
        recomputed=words.recomputed,
    )
    measures = dataflows.measures(collection)
    if measures is None:
        return known
    sharing = tuple(sorted(ids[each] for each in measures.exports if each in ids))
    return _measured(replace(known, sharing=sharing), measures, words.arrangements)


def _measured(status: MaintainedStatus, measures: DataflowMeasures, held: Arrangements) -> MaintainedStatus:
    return replace(
        status,
        arrangements=tuple(
            ArrangementStatus(
                each.name,
                *held.get(each.name, UNKNOWN),
                each.rows,
                each.batches,
                each.memory_bytes,
                each.file_bytes,
            )
            for each in measures.arrangements
        ),
        errors=measures.errors,
        ticks=None if measures.ticks is None else _ticks(measures.ticks),
        checkpoints=None if measures.checkpoints is None else _checkpoints(measures.checkpoints),
        repairs=None if measures.repairs is None else _repairs(measures.repairs),
    )


def _ticks(measure: TickMeasure) -> TickStatus:
    return TickStatus(
        count=measure.count,
        elapsed_ms=measure.elapsed_ms,
        rows_read=measure.rows_read,
        rows_written=measure.rows_written,
        window=measure.window,
        median_ms=measure.median_ms,
        p99_ms=measure.p99_ms,
        max_ms=measure.max_ms,
        last_ms=measure.last_ms,
        last_at=_at(measure.last_at_ms),
        last_rows_read=measure.last_rows_read,
        last_rows_written=measure.last_rows_written,
        wide=measure.wide,
        tasks=measure.tasks,
        narrow=next((step.narrow for step in measure.steps if step.narrow), ""),
    )


def _checkpoints(measure: CheckpointMeasure) -> CheckpointStatus:
    return CheckpointStatus(
        measure.count, measure.last_ms, _at(measure.last_at_ms), measure.bytes, measure.written_bytes
    )


def _repairs(measure: RepairMeasure) -> RepairStatus | None:
    if measure.last_at_ms is None:
        return None
    return RepairStatus(measure.refused, measure.rows, _at(measure.last_at_ms))


def _at(wall_ms: int) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(wall_ms / 1000, datetime.UTC)
