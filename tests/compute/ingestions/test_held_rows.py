"""A table that changes rows which were never told of is stopped; what was bound of it before stays as it was."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pytest

from compute.protocol.response import DataflowPhase
from compute.replica.ingestions import decoded_rows, held_rows
from compute.replica.running.places import Places
from connectors.gauge import UpstreamFrontier
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
from model.types.scalar_type import FLOAT8, TEXT
from storage.persist import hash_counts
from tests.compute.dataflows.world import Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.world import SOURCE

_TABLE = "public.t"
_PLACE = PostgresTables((), (), "p", "headwater_t", UpstreamSystem("1", 1), ())
_ROW = relation_desc(("k", FLOAT8), ("v", TEXT))
_DESC = RelationDesc((*_ROW.columns, ColumnDesc("err", TEXT)))
_Steps = list[Sequence[tuple[Row, int]]]


@dataclass
class _Reader:
    """One step after the other."""

    steps: _Steps
    arrived: Arrived
    at: int = 0
    acknowledged: UpstreamFrontier = field(default_factory=dict)

    def beginning(self) -> UpstreamFrontier:
        return {}

    def begin(self, frontier: UpstreamFrontier) -> None:
        self.at = frontier.get(0, 0)

    def take(self, records_max: int, bytes_max: int) -> FetchedRange | None:
        if self.at == len(self.steps):
            return None
        changes, self.at = self.steps[self.at], self.at + 1
        diffs = pa.array([diff for _, diff in changes], pa.int64())
        rows = rows_to_arrow([row for row, _ in changes], _ROW).append_column("diff", diffs)
        return FetchedRange(RECORDS_SCHEMA.empty_table(), {0: self.at}, {_TABLE: rows})

    def acknowledge(self, frontier: UpstreamFrontier) -> None:
        self.acknowledged = frontier

    def status(self) -> UpstreamStatus:
        return UpstreamStatus({}, None)

    def close(self) -> None:
        return


async def _source(world: World) -> IngestionDescription:
    at = Antichain(world.now)
    await world.seed.create(SOURCE, _DESC, at, at)
    await world.seed.create(GlobalId.remapping(SOURCE), system_of_source(_PLACE).gauge.remap_desc, at, at)
    collection = ReclockedCollection(SOURCE, _DESC, UpstreamTable(_TABLE))
    return IngestionDescription(SOURCE, _PLACE, (collection,), BindingPolicy(interval_ms=50), at)


def _followed(steps: _Steps) -> tuple[Counter[Row], list[tuple[str, str]]]:
    """What is bound in the end, and what is told of the ingestion: messages and hints."""
    bound: list[Counter[Row]] = []
    told: list[tuple[str, str]] = []

    async def work(world: World) -> None:
        def open_upstream(_place: UpstreamPlace, _secrets: object, _clock: Clock, arrived: Arrived) -> _Reader:
            return _Reader(steps, arrived)

        replica = Replica(world, open_upstream=open_upstream)
        replica.start(await _source(world))
        for _ in range(40):
            await world.commit({}, after_ms=100)
            await world.clock.sleep(0.2)
        bound.append(await world.shard_at(1, await world.shard_upper(1) - 1))
        running = [each for each in replica.statuses() if each.phase is DataflowPhase.RUNNING]
        told.append((running[-1].message, running[-1].hint))
        await replica.dataflows.stop()

    run(work)
    return bound[0], told


@pytest.mark.parametrize("held_max", (0, 4_000_000), ids=("read again", "kept"))
def test_a_table_that_changes_a_row_which_is_not_there_is_stopped(
    held_max: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_rows, "HELD_MAX", held_max)
    steps: _Steps = [
        [((1.0, "a"), 1), ((0.0, "b"), 1), ((2.0, None), 2)],
        [((1.0, "a"), -1), ((1.0, "c"), 1), ((2.0, None), -1)],
        [((2.0, None), -1), ((5.0, "d"), 1)],
        [((-0.0, "b"), -1), ((7.0, "e"), 1)],
        [((8.0, "f"), 1)],
    ]
    bound, ((message, hint),) = _followed(steps)
    (error,) = [row for row in bound if row[2] is not None]
    assert isinstance(error[2], str) and error[2].startswith("XX001 upstream changes a row of public.t")
    assert message == error[2].removeprefix("XX001 ") and "REFRESH SUBSOURCE" in hint
    del bound[error]
    assert bound == Counter({(1.0, "c", None): 1, (0.0, "b", None): 1, (5.0, "d", None): 1})


@pytest.mark.parametrize("held_max", (0, 12, 4_000_000), ids=("read again", "sometimes kept", "kept"))
@pytest.mark.parametrize("seed", range(4))
def test_a_table_is_followed_as_long_as_what_it_changes_is_there(
    held_max: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held_rows, "HELD_MAX", held_max)
    monkeypatch.setattr(hash_counts, "RECENT_MAX", 3)
    draw, held, steps = random.Random(seed), Counter[Row](), _Steps()
    for number in range(12):
        gone = Counter(draw.sample(sorted(held.elements(), key=repr), draw.randrange(min(4, held.total() + 1))))
        came = Counter[Row]([(float(draw.randrange(4)), draw.choice(("a", None))) for _ in range(draw.randrange(5))])
        # What comes and goes in one step need not have been there.
        passing = Counter({(100.0 + number, "p"): 1}) if draw.random() < 0.3 else Counter[Row]()
        held = held - gone + came
        changes = [*((row, -count) for row, count in gone.items()), *(came + passing).items()]
        steps.append([*changes, *((row, -count) for row, count in passing.items())])
    bound, ((message, _),) = _followed(steps)
    assert message == ""
    assert bound == Counter({(*row, None): count for row, count in held.items()})


def test_what_is_kept_of_a_collection_is_no_more_than_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few rows that change all the time are a few rows."""
    monkeypatch.setattr(hash_counts, "RECENT_MAX", 50)
    made: list[held_rows.RowsHeldByCollections] = []

    class Watched(held_rows.RowsHeldByCollections):
        def __init__(self, places: Places) -> None:
            super().__init__(places)
            made.append(self)

    monkeypatch.setattr(decoded_rows, "RowsHeldByCollections", Watched)
    steps: _Steps = [[((float(at), "a"), 1) for at in range(20)]]
    for start in range(20, 320, 20):
        gone = [((float(at - 20), "a"), -1) for at in range(start, start + 20)]
        steps.append([*gone, *(((float(at), "a"), 1) for at in range(start, start + 20))])
    bound, ((message, _),) = _followed(steps)
    assert message == "" and bound == Counter({(float(at), "a", None): 1 for at in range(300, 320)})
    (counts,) = made[-1]._known.values()
    assert counts.counts.size <= 20 + 50 + 50
