"""Tables on places in memory, a timeline, and a replica's dataflows over them, in virtual time."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pyarrow as pa

from compute.protocol.dataflow import DataflowDescription, Export, Import, IndexExport, Installed, ShardExport
from compute.protocol.response import DataflowStatus, Frontiers, SubscribeBatch
from compute.replica.dataflows.maintained import DataflowMaintenance
from compute.replica.ingestions.opened_reader import OpenUpstream
from compute.replica.ingestions.ranges.ahead import RangeBounds, Ranging
from compute.replica.running.places import Fencing, Places
from compute.replica.sinks.driver_thread import driver_in_thread
from compute.replica.sinks.sink_runner import OpenDriver
from compute.replica.tasks.dataflows import Dataflows
from compute.replica.tasks.events import BatchProduced, Event, Hurry, MoveTimeline, Reported, SetWritable, StartDataflow
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, rows_from_arrow
from model.time.antichain import EMPTY, Antichain
from model.time.clock import Clock
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from model.updates.update import Update, updates_to_arrow
from planner.ir.relation import Relation
from storage.controller import StorageController
from storage.persist.location import Blob, Consensus
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from storage.persist.write import Stage
from storage.seed_commands import SeedCommands
from tests.compute.dataflows.interpreted import InterpretedMaintenance
from tests.compute.direct_ranges import DirectRanges
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.worlds import SeededRandomness
from timeline.durable_oracle import TIMELINE_KEY, TimelineRecord
from timeline.fence import FENCE_KEY

DESC = relation_desc(("a", INT4), ("b", TEXT))
BEGIN = Timestamp(10)


def shard_desc(desc: RelationDesc) -> RelationDesc:
    """What a materialized view's shard has."""
    return RelationDesc((*(ColumnDesc(c.name, c.type) for c in desc.columns), ColumnDesc("err", TEXT)))


@dataclass
class World:
    """`contents` is what each table should hold, by time of the last change at or before it."""

    clock: Clock
    consensus: Consensus = field(default_factory=MemoryConsensus)
    blob: Blob = field(default_factory=MemoryBlob)
    now: Timestamp = BEGIN
    fence: int = 0
    timeline_seqno: int | None = None
    contents: dict[GlobalId, dict[Timestamp, Counter[Row]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.randomness = SeededRandomness(0)
        self.storage = StorageController(self.consensus, self.blob, self.clock, self.randomness, InlineRunner())

    @property
    def seed(self) -> SeedCommands:
        return SeedCommands(self.storage)

    async def raise_fence(self) -> dict[str, int | None]:
        """What a newer environment does first; its preconditions."""
        seqno = self.fence or None
        assert await self.consensus.compare_and_set({FENCE_KEY: seqno}, {FENCE_KEY: b"fence"})
        self.fence += 1
        self.storage.preconditions = self.preconditions
        return self.preconditions

    @property
    def preconditions(self) -> dict[str, int | None]:
        return {FENCE_KEY: self.fence}

    async def table(self, number: int, desc: RelationDesc = DESC) -> Import:
        """An empty table, readable from BEGIN."""
        id_, begin = GlobalId.user(number), Antichain.at(BEGIN)
        await SeedCommands(self.storage).create(id_, desc, begin, begin, timeline=True)
        self.contents[id_] = {Timestamp(BEGIN - 1): Counter()}
        return Import(id_, str(id_), desc)

    async def view_shard(self, number: int, desc: RelationDesc) -> ShardExport:
        """The empty shard of a materialized view."""
        id_, begin = GlobalId.user(number), Antichain.at(self.now)
        await SeedCommands(self.storage).create(id_, shard_desc(desc), begin, begin)
        return ShardExport(id_, id_, str(id_), shard_desc(desc))

    async def commit(self, changes: Mapping[int, Sequence[tuple[Row, int]]], *, after_ms: int = 1) -> Timestamp:
        """A group commit of changes to tables; its timestamp."""
        time = Timestamp(self.now + after_ms - 1)
        lower, self.now = Antichain(self.now), Timestamp(time + 1)
        prepared = []
        for number, rows in changes.items():
            id_ = GlobalId.user(number)
            history = self.contents[id_]
            held = history[max(history)].copy()
            for row, diff in rows:
                held[row] += diff
                assert held[row] >= 0, "a row is retracted that is not there"
            history[time] = +held
            table = updates_to_arrow([Update(row, time, diff) for row, diff in rows], self.storage.desc(id_))
            prepared.append(await self.storage.prepare_append(id_, [table], lower, Antichain(self.now)))
        record = msgspec.msgpack.encode(TimelineRecord(upper=self.now))
        await self.storage.commit(prepared, None, {TIMELINE_KEY: (self.timeline_seqno, record)})
        self.timeline_seqno = (self.timeline_seqno or 0) + 1
        self.storage.advance_timeline(Antichain(self.now))
        return time

    def rows_at(self, number: int, time: int) -> Counter[Row]:
        """What the table holds."""
        history = self.contents[GlobalId.user(number)]
        return history[max(t for t in history if t <= time)]

    async def shard_at(self, number: int, time: int) -> Counter[Row]:
        """What a shard that is not a table holds, `err` included."""
        id_ = GlobalId.user(number)
        await self.storage.load([id_])
        state = self.storage.machine(str(id_)).state
        assert not state.upper.less_equal(Timestamp(time)), f"{id_} is complete up to {state.upper} only"
        table = await read_snapshot(snapshot(state, Timestamp(time)), self.blob, InlineRunner())
        return counted(table, state.desc)

    async def shard_upper(self, number: int) -> int:
        id_ = GlobalId.user(number)
        await self.storage.load([id_])
        upper = self.storage.machine(str(id_)).state.upper.time
        assert upper is not None
        return upper


def counted(table: pa.Table, desc: RelationDesc) -> Counter[Row]:
    """Rows by how often their `diff` says."""
    held: Counter[Row] = Counter()
    for row, diff in zip(rows_from_arrow(table, desc), table.column(DIFF_COLUMN).to_pylist(), strict=True):
        held[row] += diff
    return held


class Replica:
    """A life of a replica's dataflows: `heard` is what they said."""

    def __init__(
        self,
        world: World,
        maintenance: Callable[[Places], DataflowMaintenance] = InterpretedMaintenance,
        consensus: Consensus | None = None,
        open_upstream: OpenUpstream | None = None,
        open_driver: OpenDriver = driver_in_thread,
        ranging: Ranging | None = None,
    ) -> None:
        self._world = world
        places_consensus = world.consensus if consensus is None else consensus
        self.fencing = Fencing(world.preconditions)
        self.heard: list[Event] = []
        stage = Stage(world.blob, world.clock, world.randomness, InlineRunner())
        self.places = Places(
            places_consensus,
            world.blob,
            stage,
            self.fencing,
            world.clock,
            world.randomness,
            InlineRunner(),
            Path(tempfile.gettempdir()),
            Path(tempfile.gettempdir()) / "copies",
        )
        self.dataflows = Dataflows(
            self.places,
            TIMELINE_KEY,
            maintenance(self.places),
            self.heard.append,
            open_upstream,
            open_driver,
            ranging=ranging or (DirectRanges(stage, world.clock), RangeBounds()),
        )
        self.dataflows.start()
        self._number = 0
        self._exporting: dict[GlobalId, int] = {}

    def start(self, description: Installed, *, writable: bool = True) -> int:
        self._number += 1
        self._exporting |= dict.fromkeys(description.export_ids, self._number)
        self.dataflows.carry_out(StartDataflow(self._number, description))
        self.dataflows.carry_out(SetWritable(self._number, writable))
        return self._number

    async def kill(self) -> None:
        """kill -9: nothing of it runs on. What is in memory is lost."""
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await self._world.clock.sleep(0.01)

    def hint(self) -> None:
        """Tells of the newest commit, as the environment does."""
        self.dataflows.carry_out(MoveTimeline(Antichain(self._world.now)))

    def hurry(self, time: Timestamp) -> None:
        """Someone waits until all exports are complete at `time`; told of the newest commit, too."""
        self.hint()
        for id_, number in self._exporting.items():
            self.dataflows.carry_out(Hurry(number, id_, time))

    async def until(self, condition: Callable[[], bool], seconds: float = 60.0) -> None:
        """Waits, in virtual time."""
        waited = 0.0
        while not condition():
            assert waited < seconds, f"nothing came of it: {self.statuses()}"
            await self._world.clock.sleep(0.01)
            waited += 0.01

    async def caught_up(self, *numbers: int) -> None:
        """Returns once exports of these ids are complete at the newest commit, as soon as they can be."""
        want = Timestamp(self._world.now - 1)
        self.hurry(want)
        for number in numbers:
            await self.until(lambda: not self.frontiers(number).upper.less_equal(want))  # type: ignore[union-attr] # noqa: B023

    def frontiers(self, number: int) -> Frontiers:
        """The last frontiers that were reported of an export."""
        id_ = GlobalId.user(number)
        told = (e.report for e in reversed(self.heard) if isinstance(e, Reported) and isinstance(e.report, Frontiers))
        begin = Antichain.at(0)
        return next((each for each in told if each.id == id_), Frontiers(id_, begin, begin, begin, begin))

    def statuses(self) -> list[DataflowStatus]:
        return [e.report for e in self.heard if isinstance(e, Reported) and isinstance(e.report, DataflowStatus)]

    def last_status(self) -> DataflowStatus | None:
        told = (e.report for e in reversed(self.heard) if isinstance(e, Reported))
        return next((each for each in told if isinstance(each, DataflowStatus)), None)

    def batches(self) -> list[tuple[SubscribeBatch, bytes]]:
        return [(e.batch, e.payload) for e in self.heard if isinstance(e, BatchProduced)]

    async def index_at(self, number: int, time: int, desc: RelationDesc) -> Counter[Row]:
        """What an index holds."""
        self.hurry(Timestamp(time))
        index = await self.dataflows.index(GlobalId.user(number))
        await index.wait(Timestamp(time))
        held: Counter[Row] = Counter()
        for chunk in index.all_rows(Timestamp(time)):
            held += counted(chunk, desc)
        return held


def describe(
    imports: Sequence[Import], view: tuple[int, Relation], exports: Sequence[Export], as_of: int = BEGIN
) -> DataflowDescription:
    """A dataflow of one view, which has the id `view[0]`."""
    objects = ((GlobalId.user(view[0]), view[1]),)
    return DataflowDescription(tuple(imports), objects, tuple(exports), Antichain.at(as_of), EMPTY)


def index_on(number: int, on: int, *key: object) -> IndexExport:
    return IndexExport(GlobalId.user(number), GlobalId.user(on), key)  # type: ignore[arg-type]
