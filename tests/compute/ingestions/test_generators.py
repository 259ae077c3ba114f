"""The law of reclocking, for load generators: at every time each table holds what as many steps as are bound come to,
and these depend on the seed and their number alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pytest

from compute.replica.tasks.events import StopDataflow
from connectors.generators.kinds import steps_of
from connectors.generators.reader import GeneratorReader
from connectors.sources.description import BindingPolicy, Generated, IngestionDescription, ReclockedCollection
from connectors.systems import system_of_source
from model.external.generators import GeneratorKind, LoadGenerator, UpstreamTable, generated_tables
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, arrow_schema
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc
from tests.compute.dataflows.world import Replica, World, shard_desc
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.world import SOURCE, bindings
from tests.storage.unreliable import Faults, UnreliableConsensus
from tests.storage.worlds import ManualClock, SeededRandomness

_FAULTS = Faults(done=60, not_done=60, read_failure=40, latency_ms_max=20)
_RECORDS_MAX = 400
_GENERATORS = [
    LoadGenerator(GeneratorKind.COUNTER, 20, 0),
    LoadGenerator(GeneratorKind.COUNTER, 20, 0, (("max cardinality", 7),)),
    LoadGenerator(GeneratorKind.AUCTION, 20, 1),
    LoadGenerator(GeneratorKind.MARKETING, 20, 2),
    LoadGenerator(GeneratorKind.NEXMARK, 20, 3),
    LoadGenerator(
        GeneratorKind.KEY_VALUE, 20, 4, (("keys", 50), ("partitions", 3), ("batch size", 8), ("value size", 13))
    ),
    LoadGenerator(GeneratorKind.TPCH, 20, 5, (("scale factor", 0),)),
]
_OF_EACH = pytest.mark.parametrize("generator", _GENERATORS, ids=lambda each: f"{each.kind.value}-{each.options}")
_LOOKS = 10
Contents = dict[str, Counter[tuple[Any, ...]]]


def _tables(generator: LoadGenerator) -> list[tuple[GlobalId, str, RelationDesc]]:
    """The first one is the source's own."""
    tables = generated_tables(generator.kind)
    return [(GlobalId.user(at), name, desc) for at, (name, desc) in enumerate(tables.items(), 1)]


def _contents(changes: Mapping[str, pa.Table]) -> Contents:
    held: Contents = {}
    for name, table in changes.items():
        rows = zip(*(column.to_pylist() for column in table.drop_columns([DIFF_COLUMN]).columns), strict=True)
        counts: Counter[tuple[Any, ...]] = Counter()
        for row, diff in zip(rows, table.column(DIFF_COLUMN).to_pylist(), strict=True):
            counts[row] += diff
        held[name] = Counter({row: count for row, count in counts.items() if count})
    return held


def _after(generator: LoadGenerator, steps: int) -> Contents:
    return _contents(steps_of(generator).updates(0, steps))


@pytest.mark.in_part(4)
@_OF_EACH
def test_steps_come_to_the_same_however_they_are_cut(generator: LoadGenerator) -> None:
    steps = steps_of(generator)
    chance = random.Random(1)
    ends = sorted(chance.sample(range(1, 400), 10))
    pieces: Contents = {}
    for lower, upper in zip([0, *ends], ends, strict=False):
        changes = steps.updates(lower, upper)
        count = sum(table.num_rows for table in changes.values())
        assert count <= (upper - lower) * steps.updates_per_step
        assert sum(table.nbytes for table in changes.values()) <= count * steps.bytes_per_update
        for name, counts in _contents(changes).items():
            held = pieces.setdefault(name, Counter())
            held.update(counts)
            assert all(count >= 0 for count in held.values()), "a row is retracted that is not there"
    whole = _after(generator, ends[-1])
    assert {name: +held for name, held in pieces.items()} == {name: +held for name, held in whole.items()}


@_OF_EACH
def test_rows_are_as_the_tables_are_described(generator: LoadGenerator) -> None:
    tables = generated_tables(generator.kind)
    for name, changes in steps_of(generator).updates(0, 500).items():
        assert changes.drop_columns([DIFF_COLUMN]).schema == arrow_schema(tables[name])
        assert all(
            changes.column(at).null_count == 0 or column.nullable for at, column in enumerate(tables[name].columns)
        )


def test_a_binding_takes_no_more_bytes_than_it_may() -> None:
    large = (("keys", 100), ("batch size", 10), ("value size", 10_000), ("snapshot rounds", 50))
    reader = GeneratorReader(LoadGenerator(GeneratorKind.KEY_VALUE, 20, 0, large), ManualClock())
    reader.begin({})
    taken = reader.take(1_000_000, 1 << 20)
    assert taken is not None
    assert 100_000 < sum(table.nbytes for table in taken.tables.values()) <= 1 << 20


async def _create(world: World, generator: LoadGenerator) -> IngestionDescription:
    at = Antichain(world.now)
    place = Generated(generator)
    await world.seed.create(GlobalId.remapping(SOURCE), system_of_source(place).gauge.remap_desc, at, at)
    collections = []
    for id_, name, desc in _tables(generator):
        await world.seed.create(id_, shard_desc(desc), at, at)
        collections.append(ReclockedCollection(id_, shard_desc(desc), UpstreamTable(name)))
    policy = BindingPolicy(interval_ms=50, records_max=_RECORDS_MAX)
    return IngestionDescription(SOURCE, place, tuple(collections), policy, at)


async def _check(world: World, generator: LoadGenerator) -> int:
    """How many steps are bound in the end; AssertionError where a table is not what it should be at some time."""
    bound = [(time, frontier.get(0, 0)) for time, frontier in (await bindings(world)).items()]
    steps = 0
    for at, (time, upper) in enumerate(bound):
        assert upper >= steps, "bindings went back"
        steps = upper
        if (len(bound) - 1 - at) % max(1, len(bound) // _LOOKS):
            continue  # what was there then takes as long to read as all that was there before
        wanted = _after(generator, steps)
        for id_, name, _ in _tables(generator):
            held = await world.shard_at(id_.number, time)
            assert Counter({row[:-1]: count for row, count in held.items()}) == +wanted.get(name, Counter())
    return steps


@pytest.mark.in_part(4, first=1)
@pytest.mark.parametrize("seed", [0])
@_OF_EACH
def test_a_generator_goes_on_where_it_was_whoever_dies(generator: LoadGenerator, seed: int) -> None:
    async def work(world: World) -> None:
        chance = random.Random(seed)
        description = await _create(world, generator)
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _FAULTS)
        replicas: list[Replica] = []
        for _ in range(25):
            match chance.randrange(5):
                case 0 | 1 if len(replicas) < 2:
                    replicas.append(Replica(world, consensus=unreliable))
                    replicas[-1].start(description)
                case 2 if replicas:
                    replicas.pop().dataflows.kill()
                case 3:
                    await world.commit({}, after_ms=chance.randint(1, 200))
                case _:
                    await world.clock.sleep(chance.random() / 5)
        unreliable.faults = Faults()
        replicas.append(Replica(world))
        number = replicas[-1].start(description)
        await world.clock.sleep(1.0)
        assert await _check(world, generator) > 20
        replicas[-1].dataflows.carry_out(StopDataflow(number))
        for replica in replicas:
            await replica.dataflows.stop()

    run(work)
