"""Opens a dataflow: from kept state, if useful, else for a beginning.

A dataflow begins at the latest of its as_of, its imports' sinces, and the last complete time of its shard: its updates
of the shard's later times then follow on the shard's contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import assert_never

import structlog

from compute.arrangement.layout import Layout
from compute.protocol.dataflow import DataflowDescription, Export, Import, IndexExport, ShardExport, SubscribeExport
from compute.protocol.measures import ArrangementMeasure
from compute.protocol.response import DataflowMeasures, StateOrigin
from compute.replica.dataflows.advances import Advances, Moved
from compute.replica.dataflows.checkpoints import Checkpoints, Pace
from compute.replica.dataflows.exports.error_log import LAYOUT, ErrorLog
from compute.replica.dataflows.exports.export_sinks import Exports, ExportSink
from compute.replica.dataflows.exports.index import MaintainedIndex
from compute.replica.dataflows.exports.index_sink import IndexSink
from compute.replica.dataflows.exports.shard_follower import ShardFollower
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.exports.subscribe_sink import EmitBatch, SubscribeSink
from compute.replica.dataflows.maintained import DataflowMaintenance, Kept, Maintained
from compute.replica.dataflows.outputs import (
    Computation,
    arrangement_names,
    computation_for,
    computation_of,
    errors_name,
    index_name,
)
from compute.replica.dataflows.repairs import Repairs
from compute.replica.dataflows.shelf import is_followed, shelf_for
from compute.replica.dataflows.tick_log import TickLog
from compute.replica.dataflows.turns import TickTurns
from compute.replica.running.places import Places
from compute.replica.running.shard_commits import ShardCommits
from compute.replica.running.shard_writer import ShardWriter
from compute.replica.running.watch import Watch
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import TIMESTAMP_MIN, Timestamp, step_back
from storage.persist.snapshot import Snapshot, snapshot
from storage.persist.state import ShardState

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The common surroundings of a replica's dataflows. `pace` is that of checkpoints; `turns` bounds the ticks at
    once."""

    places: Places
    watch: Watch
    advances: Advances
    commits: ShardCommits
    maintenance: DataflowMaintenance
    pace: Pace
    turns: TickTurns
    repairs: Repairs


@dataclass(slots=True)
class OpenedDataflow:
    """An open dataflow. `begin` is the end of its state, or, before it is `hydrated`, its beginning; `doubted`: state
    that somebody doubts."""

    description: DataflowDescription
    around: Surroundings
    maintained: Maintained
    exports: Exports
    checkpoints: Checkpoints
    begin: Timestamp
    hydrated: bool
    doubted: bool = False
    ticks: TickLog = field(default_factory=TickLog)

    @property
    def distrusted(self) -> bool:
        """Returns whether the state is to be made anew: it is doubted, or a file of it is damaged."""
        return self.doubted or any(each.damaged is not None for each in self.maintained.arrangements.values())

    def state(self, item: Import) -> ShardState:
        return self.around.watch.state(item.shard)

    def contents(self) -> tuple[dict[GlobalId, Snapshot], int]:
        """Returns the imports' contents at the dataflow's beginning, and how many rows they have."""
        found = {item.id: snapshot(self.state(item), self.begin, item.stored) for item in self.description.imports}
        return found, sum(piece.rows for each in found.values() for piece in (*each.parts, *each.inline))

    @property
    def durable(self) -> Antichain:
        """Returns the upper of the kept state."""
        return Antichain(self.checkpoints.durable or self.begin)

    def input_upper(self) -> Antichain:
        """Returns up to where all imports are complete; the timeline's upper when there are none."""
        return input_upper(self.description, self.around.watch)

    @property
    def settled(self) -> bool:
        """Returns whether all updates so far are written: none waits for the next tick."""
        return all(sink.settled for sink in self.exports.of(ShardSink).values())

    @property
    def unwritten(self) -> bool:
        """Returns whether the next tick has something to write even without changed inputs."""
        return any(sink.unwritten for sink in self.exports.of(ShardSink).values())

    @property
    def follows(self) -> bool:
        """Returns whether another writes a shard."""
        return any(sink.follows for sink in self.exports.of(ShardSink).values())

    @property
    def bound(self) -> Antichain:
        """Returns how far the dataflow may go beside other writers of the shards."""
        followers = (sink.follower for sink in self.exports.of(ShardSink).values() if sink.follows)
        return reduce(Antichain.meet, (each.bound for each in followers if each is not None), EMPTY)

    def shards_move(self, lower: Timestamp, target: Antichain) -> bool:
        """Returns whether another writer's updates have times in [lower, target)."""
        followers = (sink.follower for sink in self.exports.of(ShardSink).values() if sink.follows)
        return any(each is not None and each.moves(lower, target) for each in followers)

    def overtaken(self, upper: Antichain) -> bool:
        """Returns whether the next tick's past is compacted away: nobody holds the past for an absent reader."""
        if upper.time is None:
            return False
        at = upper.time if not self.hydrated else step_back(upper.time)
        sinces = (self.state(item).since for item in self.description.imports)
        followers = (sink.follower for sink in self.exports.of(ShardSink).values() if sink.follows)
        return any(since.time is not None and not since.less_equal(at) for since in sinces) or any(
            each is not None and not each.reaches(at) for each in followers
        )

    async def choose_writers(self, upper: Antichain, *, writable: bool) -> bool:
        """Lets sinks begin to write at the end of their shards, or, unless `writable`, follow their shards; returns
        False if the dataflow has to begin anew. Raises SqlError."""
        for sink in self.exports.of(ShardSink).values():
            if writable:
                await sink.take_over(upper)
            elif sink.follower is None:
                if sink.unwritten and self.hydrated:
                    return False
                await sink.follow(ShardFollower(sink.writer.export, self.around.places, self.around.watch))
        return True

    @property
    def doubtful(self) -> bool:
        """Returns whether a write that failed may have been written, and so no longer fits."""
        return any(sink.writer.doubtful for sink in self.exports.of(ShardSink).values())

    def is_due(self, target: Antichain) -> bool:
        """Returns whether exports may change before `target` without a change of an import."""
        due = self.maintained.next_due()
        return due is not None and (target.time is None or due < target.time)

    @property
    def errors(self) -> int:
        """Returns the number of live errors in the exports."""
        indexes, shards = self.exports.of(IndexSink).values(), self.exports.of(ShardSink).values()
        return sum(sink.errors for sink in indexes) + sum(sink.errors for sink in shards)

    def extent(self, upper: Antichain) -> Kept | None:
        """Returns the state that a checkpoint may keep now; None while none may be made."""
        if not self.hydrated or not self.settled or self.distrusted or upper.time is None:
            return None
        if is_followed(self.description):
            return None
        sinces = {
            name: sink.since.time
            for id_, sink in self.exports.of(IndexSink).items()
            for name in arrangement_names(id_)
            if sink.since.time is not None
        }
        return upper.time, sinces

    def take(self, other: OpenedDataflow, upper: Timestamp, moved: Moved) -> None:
        """Takes the exports of a dataflow with equal computation at an equal time. Of the other dataflow, only the
        computation is used afterwards."""
        for id_, sink in other.exports.of(IndexSink).items():
            rows = self.maintained.take(index_name(id_), other.maintained.arrangements[index_name(id_)])
            self.exports.add(id_, sink.moved(rows, self._taken_errors(other, id_, upper)))
        for id_, shard in other.exports.of(ShardSink).items():
            errors, consolidates = self._taken_errors(other, id_, upper), self.maintained.consolidates
            ended = advanced(shard.writer, self.around.advances)
            self.exports.add(id_, shard.moved(errors, ended, consolidates=consolidates))
        other.exports.end(dropped=False)
        for shard in other.exports.of(ShardSink).values():
            self.around.advances.add(shard.writer, moved)

    def _taken_errors(self, other: OpenedDataflow, id_: GlobalId, upper: Timestamp) -> ErrorLog:
        name = errors_name(id_)
        return ErrorLog(self.maintained.take(name, other.maintained.arrangements[name]), upper)

    def drop(self, id_: GlobalId) -> None:
        """Drops one export while others stay."""
        self.exports.remove(id_)
        self.maintained.drop(arrangement_names(id_))

    async def leave(self) -> None:
        """Closes a dataflow whose exports another has taken; only kept state stays."""
        await self.checkpoints.finish()
        await self.maintained.close()
        self._unfollow()

    def versions(self) -> dict[str, int]:
        """Returns the present versions of the shards read."""
        return {item.shard: self.state(item).seqno for item in self.description.imports}

    def measures(self, id_: GlobalId, versions: Mapping[str, int]) -> DataflowMeasures:
        """Returns the dataflow's measures for its export `id_`; the dataflow reads imports from `versions` on."""
        others = {name for each in self.exports.sinks() if each != id_ for name in arrangement_names(each)}
        named = sorted(self.maintained.arrangements.items())
        sizes = {name: each.size for name, each in named if name not in others}
        arrangements = tuple(
            ArrangementMeasure(name, size.rows, size.batches, size.memory_bytes, size.bytes - size.memory_bytes)
            for name, size in sizes.items()
        )
        sink = self.exports.sinks().get(id_)
        errors = sink.errors if isinstance(sink, IndexSink | ShardSink) else None
        ticks, checkpoints = self.ticks.measure(), self.checkpoints.measure
        exports = tuple(sorted(self.exports.sinks()))
        repairs = self.around.repairs.measure(id_) if isinstance(sink, ShardSink) else None
        own = (id_, arrangements, errors, ticks, checkpoints)
        copied_from = self.maintained.copied_from
        found = StateOrigin.KEPT if self.maintained.kept is not None else StateOrigin.INPUTS
        origin = StateOrigin.COPIED if copied_from else found
        return DataflowMeasures(*own, tuple(sorted(versions.items())), exports, repairs, origin, copied_from)

    async def close(self, *, delete: bool, dropped: bool) -> None:
        """Lets go of everything. `dropped`: nobody wants the exports any more."""
        for sink in self.exports.of(ShardSink).values():
            await sink.give_back()
        self.exports.end(dropped=dropped)
        await self.checkpoints.finish()
        await (self.maintained.delete() if delete else self.maintained.close())
        self._unfollow()

    def _unfollow(self) -> None:
        for item in self.description.imports:
            self.around.watch.leave(item.shard)


def input_upper(description: DataflowDescription, watch: Watch) -> Antichain:
    upper = EMPTY if description.imports else watch.timeline_upper
    for item in description.imports:
        upper = upper.meet(watch.upper(item.shard))
    return upper


async def open_dataflow(
    number: int,
    descriptions: Sequence[DataflowDescription],
    shelf_name: str,
    around: Surroundings,
    moved: Moved,
    kept: Callable[[], None],
    emit: EmitBatch,
) -> tuple[OpenedDataflow, Sequence[DataflowDescription]]:
    """Opens a dataflow for several descriptions of equal computation; returns the descriptions whose exports were kept,
    or the first.

    `moved` is called after the upper of a shard has moved by itself, or with the reason of a failure; `kept` is called
    after a checkpoint has become durable. Raises SqlError, OSError.
    """
    followed: list[Import] = []
    try:
        for item in descriptions[0].imports:
            await around.watch.follow(item.shard)
            followed.append(item)
        await around.watch.look()
        return await _open(number, descriptions, shelf_name, around, moved, kept, emit)
    except BaseException:
        for item in followed:
            around.watch.leave(item.shard)
        raise


async def _open(
    number: int,
    descriptions: Sequence[DataflowDescription],
    shelf_name: str,
    around: Surroundings,
    moved: Moved,
    kept: Callable[[], None],
    emit: EmitBatch,
) -> tuple[OpenedDataflow, Sequence[DataflowDescription]]:
    first = descriptions[0]
    writers = await _writers([export for each in descriptions for export in each.exports], around)
    maintained, taken = await _resumed(number, descriptions, shelf_name, around)
    computation = computation_for([first, *(each for each in taken if each is not first)])
    exports = {export.id: (export, each.as_of) for each in taken for export in each.exports}
    hydrated = maintained.kept is not None
    if maintained.kept is not None:
        begin, found = maintained.kept
    else:
        own = {id_: writer for id_, writer in writers.items() if id_ in exports}
        begin, found = _beginning(first, around.watch, own), {}
    begin_at = Antichain(begin)

    def errors_of(id_: GlobalId) -> ErrorLog:
        return ErrorLog(maintained.arrangements[errors_name(id_)], begin)

    def since_of(id_: GlobalId, as_of: Antichain) -> Antichain:
        since = found.get(errors_name(id_))
        return begin_at if since is None else as_of.join(Antichain(since))

    def sink(export: Export, as_of: Antichain) -> ExportSink:
        since = since_of(export.id, as_of)
        match export:
            case IndexExport(id=id_):
                rows = maintained.arrangements[index_name(id_)]
                index = MaintainedIndex(export, computation.desc_of[id_])
                return IndexSink(id_, index, around.places, rows, errors_of(id_), since, begin_at)
            case ShardExport(id=id_):
                writer = writers[id_]
                around.advances.add(writer, moved)
                consolidates = maintained.consolidates
                own = (writer, around.places, errors_of(id_), since, advanced(writer, around.advances))
                return ShardSink(*own, around.repairs, hydrating=not hydrated, consolidates=consolidates)
            case SubscribeExport():
                return SubscribeSink(export, computation.desc_of[export.id], around.places, begin_at, emit)
            case _:
                assert_never(export)

    sinks = Exports(computation, {id_: sink(*each) for id_, each in exports.items()})
    checkpoints = Checkpoints(maintained, around.places, begin if hydrated else None, kept, around.pace)
    log.info("dataflow open", dataflow=number, begin=begin, hydrated=hydrated, exports=len(exports))
    return OpenedDataflow(first, around, maintained, sinks, checkpoints, begin, hydrated), taken


async def _resumed(
    number: int, descriptions: Sequence[DataflowDescription], shelf_name: str, around: Surroundings
) -> tuple[Maintained, Sequence[DataflowDescription]]:
    """Returns the kept state and its descriptions; else a fresh state for the first description. Raises OSError."""
    first = descriptions[0]

    async def opened(of: Sequence[DataflowDescription]) -> Maintained:
        computation = computation_for(of)
        shelf = shelf_for(shelf_name, of, _layouts(computation, of))
        return await around.maintenance.open(number, first, computation_of(first), shelf)

    # Of all; what the first has by itself; and, where neither is of use, nothing.
    for of in (descriptions, [first], [first]):
        maintained = await opened(of)
        kept = maintained.kept
        if kept is None and len(of) == 1:
            return maintained, of
        if kept is not None and not is_followed(first) and _usable(kept[0], first, around.watch):
            taken = [each for each in of if all(name in kept[1] for name in _layouts(computation_of(each), [each]))]
            if taken:
                missing = [each for each in of if each not in taken]
                maintained.drop(name for each in missing for id_ in each.export_ids for name in arrangement_names(id_))
                return maintained, taken
        await (maintained.close() if kept is None else maintained.delete())
    raise OSError(f"the state {shelf_name} is of no use, and can't be deleted")


def advanced(writer: ShardWriter, advances: Advances) -> Callable[[], None]:
    """Returns a function that ends the automatic moves of the writer's upper."""
    return lambda: advances.remove(writer)


async def _writers(exports: Iterable[Export], around: Surroundings) -> dict[GlobalId, ShardWriter]:
    writers = {
        export.id: ShardWriter(export, around.places, around.commits.commit, around.watch.adopt)
        for export in exports
        if isinstance(export, ShardExport)
    }
    for writer in writers.values():
        await writer.open()
    return writers


def _layouts(computation: Computation, descriptions: Sequence[DataflowDescription]) -> dict[str, Layout]:
    """Returns the layouts of the exports' arrangements."""
    layouts: dict[str, Layout] = {}
    for export in (export for description in descriptions for export in description.exports):
        if isinstance(export, IndexExport):
            layouts[index_name(export.id)] = MaintainedIndex(export, computation.desc_of[export.id]).layout
        if not isinstance(export, SubscribeExport):
            layouts[errors_name(export.id)] = LAYOUT
    return layouts


def _usable(upper: Timestamp, description: DataflowDescription, watch: Watch) -> bool:
    """Returns whether changes can be read from the state's end on, and the state is of this history, not of times to
    come."""
    readable = all(watch.state(item.shard).since.less_equal(step_back(upper)) for item in description.imports)
    return readable and Antichain(upper).precedes(input_upper(description, watch))


def _beginning(description: DataflowDescription, watch: Watch, writers: Mapping[GlobalId, ShardWriter]) -> Timestamp:
    assert len(writers) <= 1, "two shards may be complete up to different times, but a dataflow begins at one"
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
