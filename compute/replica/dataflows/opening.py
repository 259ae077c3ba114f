"""Opening a dataflow: from the state that was kept, where that is of use, else for a beginning.

A dataflow begins at the latest of its as_of, its imports' sinces, and the last time that its shard is complete at: so
what it then says of its shard's later times follows on what is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

import structlog

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription, Export, Import, IndexExport, ShardExport, SubscribeExport
from compute.protocol.measures import ArrangementMeasure
from compute.protocol.response import DataflowMeasures
from compute.replica.dataflows.advances import Advances, Moved
from compute.replica.dataflows.checkpoints import Checkpoints, Pace
from compute.replica.dataflows.error_log import LAYOUT, ErrorLog
from compute.replica.dataflows.exports import Exports, ExportSink
from compute.replica.dataflows.index import MaintainedIndex
from compute.replica.dataflows.index_sink import IndexSink
from compute.replica.dataflows.maintained import DataflowMaintenance, Maintained
from compute.replica.dataflows.outputs import computation_of, errors_name, index_name
from compute.replica.dataflows.places import Places
from compute.replica.dataflows.shard_commits import ShardCommits
from compute.replica.dataflows.shard_sink import ShardSink
from compute.replica.dataflows.shard_writer import ShardWriter
from compute.replica.dataflows.subscribe_sink import EmitBatch, SubscribeSink
from compute.replica.dataflows.tick_log import TickLog
from compute.replica.dataflows.watch import Watch
from model.antichain import EMPTY, Antichain
from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate
from model.timestamp import TIMESTAMP_MIN, Timestamp, step_back
from storage.persist.state import ShardState

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the dataflows of a replica share. `pace` is that of checkpoints. `ticks`, `small_ticks` (which go together)
    and `hydrations` bound how many run at once."""

    places: Places
    watch: Watch
    advances: Advances
    commits: ShardCommits
    maintenance: DataflowMaintenance
    pace: Pace
    ticks: asyncio.Semaphore
    small_ticks: asyncio.Semaphore
    hydrations: asyncio.Semaphore


@dataclass(slots=True)
class OpenedDataflow:
    """A dataflow that is open. `begin`: where its state ends, or, before it is `hydrated`, where it begins."""

    description: DataflowDescription
    around: Surroundings
    maintained: Maintained
    exports: Exports
    checkpoints: Checkpoints
    begin: Timestamp
    hydrated: bool
    ticks: TickLog = field(default_factory=TickLog)

    def state(self, item: Import) -> ShardState:
        return self.around.watch.state(item.shard)

    def input_upper(self) -> Antichain:
        """Up to where all imports are complete; the timeline's upper when there are none."""
        return input_upper(self.description, self.around.watch)

    @property
    def settled(self) -> bool:
        """Whether all that was said so far is written: nothing waits for the next tick."""
        return all(sink.settled for sink in self.exports.of(ShardSink).values())

    def extent(self, upper: Antichain) -> tuple[Timestamp, Timestamp] | None:
        """(upper, since) of the state that a checkpoint may keep now; None while it must not."""
        if not self.hydrated or not self.settled or upper.time is None:
            return None
        sinces = [sink.since.time for sink in self.exports.of(IndexSink).values() if sink.since.time is not None]
        last = step_back(upper.time)
        return upper.time, min(last, max(sinces, default=last))

    def versions(self) -> dict[str, int]:
        """Of the shards that it reads, as they are known now."""
        return {item.shard: self.state(item).seqno for item in self.description.imports}

    def measures(self, id_: GlobalId, versions: Mapping[str, int]) -> DataflowMeasures:
        """What it takes, for its export `id_`; it reads its imports from these versions on."""
        sizes = {name: each.size for name, each in sorted(self.maintained.arrangements.items())}
        arrangements = tuple(
            ArrangementMeasure(name, size.rows, size.batches, size.memory_bytes, size.bytes - size.memory_bytes)
            for name, size in sizes.items()
        )
        sink = self.exports.sinks().get(id_)
        errors = sink.errors if isinstance(sink, IndexSink | ShardSink) else None
        ticks, checkpoints = self.ticks.measure(), self.checkpoints.measure
        return DataflowMeasures(id_, arrangements, errors, ticks, checkpoints, tuple(sorted(versions.items())))

    async def close(self, *, delete: bool, dropped: bool) -> None:
        """Lets go of everything. `dropped`: nobody wants the exports any more."""
        self.exports.end(dropped=dropped)
        await self.checkpoints.finish()
        await (self.maintained.delete() if delete else self.maintained.close())
        for item in self.description.imports:
            self.around.watch.leave(item.shard)


def input_upper(description: DataflowDescription, watch: Watch) -> Antichain:
    upper = EMPTY if description.imports else watch.timeline_upper
    for item in description.imports:
        upper = upper.meet(watch.upper(item.shard))
    return upper


async def open_dataflow(
    number: int,
    description: DataflowDescription,
    around: Surroundings,
    moved: Moved,
    kept: Callable[[], None],
    emit: EmitBatch,
) -> OpenedDataflow:
    """`moved` is told when the upper of its shard has moved by itself, or why it could not; `kept` is called when a
    checkpoint is durable.

    SqlError, OSError.
    """
    followed: list[Import] = []
    try:
        for item in description.imports:
            await around.watch.follow(item.shard)
            followed.append(item)
        await around.watch.look()
        return await _open(number, description, around, moved, kept, emit)
    except BaseException:
        for item in followed:
            around.watch.leave(item.shard)
        raise


async def _open(
    number: int,
    description: DataflowDescription,
    around: Surroundings,
    moved: Moved,
    kept: Callable[[], None],
    emit: EmitBatch,
) -> OpenedDataflow:
    computation = computation_of(description)
    writers = await _writers(description, around)
    indexes = {
        e.id: MaintainedIndex(e, computation.desc_of[e.id]) for e in description.exports if isinstance(e, IndexExport)
    }
    layouts = _layouts(indexes, writers)
    maintained = await around.maintenance.open(number, description, computation, layouts)
    if maintained.kept is not None and not _usable(maintained.kept[0], description, around.watch):
        await maintained.delete()
        maintained = await around.maintenance.open(number, description, computation, layouts)
    hydrated = maintained.kept is not None
    if maintained.kept is not None:
        begin, since = maintained.kept[0], description.as_of.join(Antichain(maintained.kept[1]))
    else:
        begin = _beginning(description, around.watch, writers)
        since = Antichain(begin)
    begin_at = Antichain(begin)

    def errors_of(id_: GlobalId) -> ErrorLog:
        return ErrorLog(maintained.arrangements[errors_name(id_)], begin)

    def sink(export: Export) -> ExportSink:
        match export:
            case IndexExport(id=id_):
                rows = maintained.arrangements[index_name(id_)]
                return IndexSink(id_, indexes[id_], around.places, rows, errors_of(id_), since, begin_at)
            case ShardExport(id=id_):
                writer = writers[id_]
                around.advances.add(writer, moved)

                def ended() -> None:
                    around.advances.remove(writer)

                consolidates = maintained.consolidates
                own = (writer, around.places, errors_of(id_), since, ended)
                return ShardSink(*own, hydrating=not hydrated, consolidates=consolidates)
            case SubscribeExport():
                return SubscribeSink(export, computation.desc_of[export.id], around.places, begin_at, emit)
            case _:
                assert_never(export)

    exports = Exports(computation, {export.id: sink(export) for export in description.exports})
    checkpoints = Checkpoints(maintained, around.places, begin if hydrated else None, kept, around.pace)
    log.info("dataflow open", dataflow=number, begin=begin, hydrated=hydrated)
    return OpenedDataflow(description, around, maintained, exports, checkpoints, begin, hydrated)


async def _writers(description: DataflowDescription, around: Surroundings) -> dict[GlobalId, ShardWriter]:
    exports = [export for export in description.exports if isinstance(export, ShardExport)]
    assert len(exports) <= 1, "two shards may be complete up to different times, but a dataflow begins at one"
    writers = {
        export.id: ShardWriter(export, around.places, around.commits.commit, around.watch.adopt) for export in exports
    }
    for writer in writers.values():
        await writer.open()
    return writers


def _layouts(indexes: Mapping[GlobalId, MaintainedIndex], writers: Iterable[GlobalId]) -> dict[str, Layout]:
    layouts = {index_name(id_): index.layout for id_, index in indexes.items()}
    return layouts | {errors_name(id_): LAYOUT for id_ in (*indexes, *writers)}


def _usable(upper: Timestamp, description: DataflowDescription, watch: Watch) -> bool:
    """Whether changes can be read from where the state ends, and it is of this history: not of times yet to come."""
    readable = all(watch.state(item.shard).since.less_equal(step_back(upper)) for item in description.imports)
    return readable and Antichain(upper).precedes(input_upper(description, watch))


def _beginning(description: DataflowDescription, watch: Watch, writers: Mapping[GlobalId, ShardWriter]) -> Timestamp:
    begin = description.as_of
    for item in description.imports:
        begin = begin.join(watch.state(item.shard).since)
    for writer in writers.values():
        upper = writer.upper.time
        if upper is not None and upper > TIMESTAMP_MIN:
            begin = begin.join(Antichain(step_back(upper)))
            if not begin.precedes(writer.upper):
                log.warning("a shard's history has a gap", shard=writer.export.shard, upper=upper, begin=str(begin))
    if begin.time is None:
        raise SqlError(Sqlstate.UNDEFINED_OBJECT, "a collection that the dataflow reads was dropped")
    return begin.time
