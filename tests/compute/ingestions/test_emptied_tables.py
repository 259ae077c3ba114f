"""Tables that upstream empties: what they held goes at one time, made of one piece after the other, whatever fails."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pytest

from compute.replica.ingestions.reclocked_shards import ReclockedShards
from connectors.gauge import Partition, UpstreamFrontier
from connectors.kafka.source.records import RECORDS_SCHEMA
from connectors.sources.description import BindingPolicy, IngestionDescription, PostgresTables, ReclockedCollection
from connectors.systems import system_of_source
from connectors.upstream import Arrived, FetchedRange, UpstreamPlace, UpstreamStatus
from model.external.generators import UpstreamTable
from model.external.publications import UpstreamSystem
from model.ids.global_id import GlobalId
from model.physical.columns import rows_to_arrow
from model.time.antichain import Antichain
from model.time.clock import Clock
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT
from storage.persist import write
from storage.persist.state import Part
from storage.persist.write import PartWriter
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.world import SOURCE, bound_now, check_acknowledged, check_reclocked
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import SeededRandomness

_TABLE = "public.t"
_PLACE = PostgresTables((), (), "p", "headwater_t", UpstreamSystem("1", 1), ())
_ROW = relation_desc(("k", INT4), ("v", TEXT))
_DESC = RelationDesc((*_ROW.columns, ColumnDesc("err", TEXT)))
_FAULTS = Faults(done=60, not_done=60, read_failure=40, latency_ms_max=20)
_SEEDS_MAX = 60
_PART_BYTES = 400


@dataclass
class _Upstream:
    """Each step of it takes rows away and adds others, of a table that it may empty before."""

    steps: list[tuple[bool, Counter[Row]]] = field(default_factory=list)
    readers: list[_Reader] = field(default_factory=list)
    told: dict[Partition, int] = field(default_factory=dict)

    def step(self, changes: Counter[Row], *, empties: bool = False) -> None:
        self.steps.append((empties, changes))
        for reader in self.readers:
            reader.arrived()

    @property
    def acknowledged(self) -> Mapping[Partition, int]:
        return self.told

    def rows_below(self, frontier: UpstreamFrontier) -> Counter[tuple[object, ...]]:
        held = self.changes(0, frontier.get(0, 0))[1]
        return Counter({(*row, None): count for row, count in held.items()})

    def changes(self, begin: int, end: int) -> tuple[bool, Counter[Row]]:
        """Whether the table was emptied in these steps, and what has changed since."""
        emptied, held = False, Counter[Row]()
        for empties, changes in self.steps[begin:end]:
            if empties:
                emptied, held = True, Counter()
            held.update(changes)
        return emptied, Counter({row: count for row, count in held.items() if count})


class _Reader:
    """Gives as many steps as chance has it."""

    def __init__(self, upstream: _Upstream, arrived: Arrived, chance: random.Random) -> None:
        self.arrived = arrived
        self._upstream = upstream
        self._chance = chance
        self._at = 0
        upstream.readers.append(self)

    def beginning(self) -> UpstreamFrontier:
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self._at = frontier.get(0, 0)

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        begin, end = self._at, self._chance.randint(self._at, len(self._upstream.steps))
        if begin == end:
            return None
        self._at = end
        emptied, changes = self._upstream.changes(begin, end)
        rows = rows_to_arrow([*changes], _ROW).append_column("diff", pa.array([*changes.values()], pa.int64()))
        gone = frozenset({_TABLE} if emptied else ())
        return FetchedRange(RECORDS_SCHEMA.empty_table(), {0: end}, {_TABLE: rows}, gone)

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        told = self._upstream.told
        told[0] = max(told.get(0, 0), frontier.get(0, 0))

    def status(self) -> UpstreamStatus:
        return UpstreamStatus({}, None)

    def close(self) -> None:
        self._upstream.readers.remove(self)


async def _create_source(world: World) -> IngestionDescription:
    at = Antichain(world.now)
    await world.seed.create(SOURCE, _DESC, at, at)
    await world.seed.create(GlobalId.remapping(SOURCE), system_of_source(_PLACE).gauge.remap_desc, at, at)
    collection = ReclockedCollection(SOURCE, _DESC, UpstreamTable(_TABLE))
    return IngestionDescription(SOURCE, _PLACE, (collection,), BindingPolicy(interval_ms=50), at)


def _drawn(upstream: _Upstream, chance: random.Random, number: int) -> None:
    """A step: of the rows that are there some go, but where all have gone before."""
    empties = chance.random() < 0.15
    held = Counter[Row]() if empties else upstream.changes(0, len(upstream.steps))[1]
    changes = Counter[Row]({row: -1 for row in held if chance.random() < 0.2})
    changes.update({(number, f"{each} of {number}"): 1 for each in range(chance.randrange(30))})
    upstream.step(changes, empties=empties)


def _followed(seed: int) -> None:
    """Upstream changes and empties its table, consensus fails, replicas die, two of them ingest."""

    async def work(world: World) -> None:
        chance, upstream = random.Random(seed), _Upstream()
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        description = await _create_source(world)
        replicas: list[Replica] = []

        def open_upstream(_place: UpstreamPlace, _secrets: object, _clock: Clock, arrived: Arrived) -> _Reader:
            return _Reader(upstream, arrived, chance)

        def begin() -> None:
            replicas.append(Replica(world, consensus=unreliable, open_upstream=open_upstream))
            replicas[-1].start(description)

        for number in range(60):
            match chance.randrange(7):
                case 0 if len(replicas) < 2:
                    begin()
                case 1 if replicas and chance.random() < 0.3:
                    replicas.pop().dataflows.kill()
                case 2:
                    await world.clock.sleep(chance.random() / 5)
                case 3:
                    await world.commit({}, after_ms=chance.randint(1, 500))
                case _:
                    _drawn(upstream, chance, number)
            await check_acknowledged(world, upstream)
        unreliable.faults = Faults()
        if not replicas:
            begin()
        for _ in range(100):
            if (await bound_now(world) or {}).get(0, 0) == len(upstream.steps):
                break
            await world.clock.sleep(0.2)
        else:
            raise AssertionError("not all of it arrives")
        await check_reclocked(world, upstream, _meaning)
        for replica in replicas:
            await replica.dataflows.stop()

    run(work)


def _meaning(upstream: _Upstream, bound: Sequence[UpstreamFrontier]) -> Counter[tuple[object, ...]]:
    return upstream.rows_below(bound[-1])


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "PART_BYTES", _PART_BYTES)
    monkeypatch.setattr(write, "REST_BYTES", _PART_BYTES // 2)


@pytest.mark.usefixtures("small_parts")
def test_a_table_that_is_emptied_holds_what_came_since(monkeypatch: pytest.MonkeyPatch) -> None:
    staged: list[int] = []
    flush = PartWriter._flush

    async def counted(writer: PartWriter) -> None:
        staged.append(writer._pending_bytes)
        await flush(writer)

    monkeypatch.setattr(PartWriter, "_flush", counted)
    for seed in range(12):
        _followed(seed)
    assert len(staged) > 50, "hardly anything is staged"


def pieces_forgotten(patch: pytest.MonkeyPatch) -> None:
    """What was staged is left out."""
    whole = ReclockedShards.retraction

    async def without(shards: ReclockedShards, id_: GlobalId) -> list[pa.Table | Part]:
        return [each for each in await whole(shards, id_) if isinstance(each, pa.Table)]

    patch.setattr(ReclockedShards, "retraction", without)


def nothing_retracted(patch: pytest.MonkeyPatch) -> None:
    async def nothing(_shards: ReclockedShards, _id: GlobalId) -> list[pa.Table | Part]:
        return []

    patch.setattr(ReclockedShards, "retraction", nothing)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("bug", [pieces_forgotten, nothing_retracted])
def test_bugs_put_in_on_purpose_are_found(
    bug: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bug(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            _followed(seed)
