"""The law of sinks of several ranges of keys: at every moment each range of the destination holds what the collection
held of its keys at one time, however often keys are divided otherwise, and in the end all of it is what there is."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
import pytest

from compute.replica.sinks.key_ranges import RangeStand, ranges_of, within
from compute.replica.sinks.sessions import Sessions
from compute.replica.sinks.sink_runner import SinkRunner
from connectors.sinks.fences import SplitCheckpoint, opened_at
from connectors.sinks.messages import ALL_KEYS, KeyRange, Open
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.updates.update import Update, updates_to_arrow
from tests.compute.dataflows.world import DESC, World
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.ranged_store import RangedStore
from tests.compute.sinks.test_sinks import DOCUMENTS, DOUBLED, SUMS, Kind, check, written
from tests.compute.sinks.world import TABLE, Faults, create_sink, rows_by_key, writing

pytestmark = pytest.mark.slow

_SEEDS_MAX = 40
_ANOTHER = 3


@pytest.mark.parametrize("count", [1, 2, 3, 7, 32])
def test_ranges_are_all_keys(count: int) -> None:
    ranges = ranges_of(count)
    assert (ranges[0].begin, ranges[-1].end, len(ranges)) == (ALL_KEYS.begin, ALL_KEYS.end, count)
    assert all(one.end + 1 == other.begin for one, other in pairwise(ranges))


def test_a_key_belongs_to_the_range_that_it_has_always_belonged_to() -> None:
    """Destinations have checkpoints of ranges."""
    keys = pa.table({"c0": pa.array([1, 2, 3, -7, None], pa.int64()), "c1": ["a", "", "ä", "a longer text", None]})
    found = [within(keys, (0, 1), each).num_rows for each in ranges_of(8)]
    assert found == [1, 0, 1, 0, 1, 0, 1, 1]


@pytest.mark.in_part(6)
@pytest.mark.parametrize("ranges", [(2,), (3,), (1, 2, 4)])
@pytest.mark.parametrize("kind", [DOCUMENTS, DOUBLED, SUMS], ids=["documents", "keys of two rows", "sums"])
def test_no_seed_shows_a_range_with_what_never_was(
    kind: Kind, ranges: tuple[int, ...], simulation_seeds: range
) -> None:
    """`--simulation-seeds N` draws N/3 histories of each."""
    shown, divided = {}, 0
    for seed in range(len(simulation_seeds) // 3):
        store = RangedStore()
        try:
            written(seed, store, kind, ranges)
        except AssertionError as violation:
            shown[seed] = str(violation)
        divided = max(divided, store.most)
    assert shown == {}
    assert divided >= max(ranges)


@pytest.mark.in_part(6)
@pytest.mark.parametrize("ranges", [(1,), (3,), (1, 2, 4)])
@pytest.mark.parametrize("kind", [DOCUMENTS, DOUBLED], ids=["documents", "keys of two rows"])
def test_no_seed_loses_what_ranges_have_left_in_parts(
    kind: Kind, ranges: tuple[int, ...], simulation_seeds: range
) -> None:
    """`--simulation-seeds N` draws N/3 histories of each."""
    shown = {}
    for seed in range(len(simulation_seeds) // 3):
        try:
            written(seed, RangedStore(portions=True), kind, ranges)
        except AssertionError as violation:
            shown[seed] = str(violation)
    assert shown == {}


def test_ranges_come_apart_in_these_histories() -> None:
    for seed in range(_SEEDS_MAX):
        store = RangedStore()
        written(seed, store, SUMS, (1, 2, 4))
        if store.apart:
            return
    raise AssertionError("no range was ever later than another")


def test_keys_are_divided_otherwise_without_writing_anything_anew() -> None:
    store, chance = RangedStore(), random.Random(1)

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        await world.commit({TABLE: [((key, "a"), 1) for key in range(20)]})
        for count in (1, 4, 3, 3, 1, 2):
            replica = writing(world, store, chance, Faults())
            replica.start(replace(description, policy=replace(description.policy, parallelism=count)))
            for _ in range(5):
                key, value = chance.choice(sorted(world.rows_at(TABLE, world.now).elements()))
                await world.commit({TABLE: [((key, value), -1), ((key, str(value) + "+"), 1)]})
                replica.hint()
                await replica.until(lambda: store.frontier == world.now)
                check(world, store, DOCUMENTS)
                assert store.rows == rows_by_key(world, world.now)
            assert len(store.stands()) == count
            await replica.dataflows.stop()
        assert store.replaced == 1

    run(work)


def test_a_range_that_is_lost_has_all_written_anew_at_one_time() -> None:
    """As where somebody deletes its checkpoint: what one range would write takes the place of all."""
    store, chance = RangedStore(), random.Random(1)

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        description = replace(description, policy=replace(description.policy, parallelism=3))
        await world.commit({TABLE: [((key, "a"), 1) for key in range(20)]})
        for _ in range(2):
            replica = writing(world, store, chance, Faults())
            replica.start(description)
            for number in range(3):
                await world.commit({TABLE: [((100 * world.now + number, "b"), 1)]})
                replica.hint()
                await replica.until(lambda: store.frontier == world.now)
            assert len(store.stands()) == 3
            await replica.dataflows.stop()
            assert store.rows == rows_by_key(world, world.now)
            store.splits = {keys: row for keys, row in store.splits.items() if keys.begin != 0}
        assert store.replaced == 2

    run(work)


def test_another_relation_that_is_behind_is_not_written_again_and_again() -> None:
    """Until it has come to where the log is, that doesn't say that the destination has the other one."""
    store, chance = RangedStore(), random.Random(1)
    rows: list[tuple[Row, int]] = [((key, "b"), 1) for key in range(20)]

    async def append(world: World, changes: list[tuple[Row, int]], lower: int, upper: int) -> None:
        updates = updates_to_arrow([Update(row, Timestamp(lower), diff) for row, diff in changes], DESC)
        bounds = Antichain(Timestamp(lower)), Antichain(Timestamp(upper))
        prepared = await world.storage.prepare_append(GlobalId.user(_ANOTHER), [updates], *bounds)
        await world.storage.commit([prepared], None, {})

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        begin, behind = world.now, world.now + 5
        await world.seed.create(GlobalId.user(_ANOTHER), DESC, *[Antichain(Timestamp(begin))] * 2)
        await append(world, rows, begin, behind)
        description = await create_sink(world, DESC)
        description = replace(description, policy=replace(description.policy, parallelism=3))
        for _ in range(3):
            await world.commit({TABLE: [((world.now, "a"), 1)]}, after_ms=10)
            replica = writing(world, store, chance, Faults())
            replica.start(description)
            replica.hint()
            await replica.until(lambda: store.frontier == world.now)
            await replica.dataflows.stop()
        assert len(store.stands()) == 3
        another = replace(description, input=str(GlobalId.user(_ANOTHER)))
        replica = writing(world, store, chance, Faults())
        replica.start(another)
        await replica.until(lambda: store.rows == {(row[0],): row for row, _ in rows})
        await world.clock.sleep(1.0)
        assert store.replaced == 2, "what is behind is written anew again and again"
        await append(world, [((99, "c"), 1)], behind, world.now + 5)
        await world.clock.sleep(0.1)
        replica.hint()
        await replica.until(lambda: (99,) in store.rows and len(store.stands()) == 3)
        assert store.replaced == 2
        await replica.dataflows.stop()

    run(work)


def _ranges_ignored(patch: pytest.MonkeyPatch) -> None:
    """Each session is told of all keys."""
    patch.setattr("compute.replica.sinks.sessions.within", lambda table, _places, _keys: table)


def _keys_left_out(patch: pytest.MonkeyPatch) -> None:
    """A range has its last key not."""

    def within_(table: pa.Table, places: Iterable[int], keys: KeyRange) -> pa.Table:
        return within(table, places, KeyRange(keys.begin + (1 << 28), keys.end))

    patch.setattr("compute.replica.sinks.sessions.within", within_)


def _written_again(patch: pytest.MonkeyPatch) -> None:
    """Ranges that have come apart are each given all that the last one lacks."""
    patch.setattr("compute.replica.sinks.input_updates.not_there_yet", lambda updates, _sink, _stands: updates)


def _stands_of_the_first(patch: pytest.MonkeyPatch) -> None:
    """One range's checkpoint is taken for all others'."""
    whole = Sessions.open

    async def open_(sessions: Sessions, request: Open, ranges: Sequence[KeyRange]) -> tuple[RangeStand, ...]:
        stands = await whole(sessions, request, ranges)
        return tuple(replace(stand, frontier=stands[0].frontier) for stand in stands)

    patch.setattr(Sessions, "open", open_)


def _stands_of_each_other(patch: pytest.MonkeyPatch) -> None:
    """Each range's checkpoint is taken for another's."""
    whole = Sessions.open

    async def open_(sessions: Sessions, request: Open, ranges: Sequence[KeyRange]) -> tuple[RangeStand, ...]:
        stands = await whole(sessions, request, ranges)
        return tuple(
            replace(stand, frontier=other.frontier) for stand, other in zip(stands, reversed(stands), strict=True)
        )

    patch.setattr(Sessions, "open", open_)


def _closes_before_the_latest(patch: pytest.MonkeyPatch) -> None:
    """A transaction ends where some ranges have been by then."""
    whole = SinkRunner._next

    async def next_(runner: SinkRunner) -> Timestamp:
        closing = await whole(runner)
        return Timestamp(runner._position + 1) if runner._stands else closing

    patch.setattr(SinkRunner, "_next", next_)


def _parts_of_none(patch: pytest.MonkeyPatch) -> None:
    """What is left of a split in parts is not known to those that take over its keys."""
    patch.setattr("tests.compute.sinks.ranged_store.opened_at", _without_parts)


def _without_parts(keys: KeyRange, rows: Iterable[SplitCheckpoint]) -> SplitCheckpoint:
    rows = [row if row.keys == keys else replace(row, partial=False) for row in rows]
    return opened_at(keys, rows)


def test_parts_that_nobody_knows_of_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(4 * _SEEDS_MAX):
        try:
            with monkeypatch.context() as patch:
                _parts_of_none(patch)
                written(seed, RangedStore(portions=True), DOCUMENTS, (1, 2, 4))
        except AssertionError:
            return
    raise AssertionError("no seed has found it")


@pytest.mark.parametrize(
    ("plant", "kind", "ranges"),
    [
        (_ranges_ignored, DOCUMENTS, (1, 2, 4)),
        (_keys_left_out, DOCUMENTS, (1, 2, 4)),
        (_written_again, SUMS, (1, 2, 4)),
        # Ranges that seem to be at one time would be joined, and all written anew.
        (_stands_of_the_first, DOCUMENTS, (3,)),
        (_stands_of_each_other, SUMS, (1, 2, 4)),
        (_closes_before_the_latest, DOCUMENTS, (1, 2, 4)),
    ],
)
def test_a_planted_bug_is_seen(
    plant: Callable[[pytest.MonkeyPatch], None],
    kind: Kind,
    ranges: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seed in range(_SEEDS_MAX):
        try:
            with monkeypatch.context() as patch:
                plant(patch)
                written(seed, RangedStore(), kind, ranges)
        except AssertionError:
            return
    raise AssertionError("no seed has found it")
