"""A shard means its updates, whatever happens to it: held against a plain list of updates.

Any interleaving of appends, compactions, moves of the since, garbage collection and restarts, on places with faults,
gives at every time in [since, upper) what the list gives.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.updates.update import updates_from_arrow
from storage.maintenance import StorageMaintenance
from storage.persist.commit import Committed, Conflict
from storage.persist.compact import prepare_compaction
from storage.persist.snapshot import read_changes, read_state
from storage.persist.snapshot import snapshot as snapshot_of
from tests.draws import draws
from tests.storage.memory import MemoryBlob, MemoryConsensus
from tests.storage.unreliable import Faults, UnreliableBlob, UnreliableConsensus
from tests.storage.worlds import DESC, ManualClock, SeededRandomness, World, at, contents, updates_of

U1 = GlobalId.user(1)
_ROWS = [(None, "x"), (1, None), (2, "two"), (3, "3"), (2, "zwei")]
_FAULTS = Faults(done=100, not_done=100, late=50, read_failure=100, latency_ms_max=3)
_BLOB_FAULTS = Faults(done=50, not_done=50, read_failure=30)

_appends = st.tuples(
    st.just("append"),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.sampled_from([1, 1, 1, 2, -1])), max_size=6),
    st.integers(1, 6),
)
_operations = st.lists(
    st.one_of(
        _appends,
        _appends,
        st.tuples(st.just("compact"), st.integers(0, 255), st.integers(0, 1)),
        st.tuples(st.just("since"), st.integers(0, 8), st.just(0)),
        st.tuples(st.just("round"), st.just(0), st.just(0)),
        st.tuples(st.just("restart"), st.just(0), st.just(0)),
        st.tuples(st.just("orphans"), st.just(0), st.just(0)),
    ),
    min_size=3,
    max_size=25,
)


@pytest.fixture(autouse=True, scope="module")
def _almost_nothing_fits_inline() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in ("shard", "compact"):
            patch.setattr(f"storage.persist.{module}.INLINE_BYTES", 900)
        patch.setattr("storage.persist.compact.INLINE_BATCHES_MAX", 3)
        patch.setattr("storage.persist.compact.SMALL_BATCHES_MAX", 2)
        patch.setattr("storage.persist.version.ROLLUP_VERSIONS", 5)
        yield


class Model:
    """The plain thing: a list of updates."""

    def __init__(self) -> None:
        self.updates: list[tuple[tuple[object, ...], int, int]] = []
        self.since = 0
        self.upper = 0

    def at(self, time: int) -> dict[tuple[object, ...], int]:
        counts: Counter[tuple[object, ...]] = Counter()
        for row, when, diff in self.updates:
            if when <= time:
                counts[row] += diff
        return {row: count for row, count in counts.items() if count != 0}


def new_world(seed: int, *, faulty: bool) -> World:
    clock, randomness = ManualClock(), SeededRandomness(seed)
    if not faulty:
        return World(MemoryConsensus(), MemoryBlob(), clock, randomness)
    consensus = UnreliableConsensus(MemoryConsensus(), clock, randomness, _FAULTS)
    return World(consensus, UnreliableBlob(MemoryBlob(), clock, randomness, _BLOB_FAULTS), clock, randomness)


async def load_again(world: World) -> None:
    for _ in range(100):
        try:
            await world.restart()
        except Exception as error:
            if "did not answer" not in str(error):
                raise
        else:
            return
    raise AssertionError("never answered")


async def append(world: World, model: Model, updates: list[tuple[int, int, int]], span: int) -> None:
    timed = [(_ROWS[row], model.upper + when % span, diff) for row, when, diff in updates]
    lower, upper = at(model.upper), at(model.upper + span)
    try:
        write = await world.controller.prepare_append(U1, [updates_of(*timed)], lower, upper, exact=True)
    except SqlError as error:
        if error.sqlstate is not Sqlstate.IO_ERROR:
            raise
        return
    outcome = await world.controller.commit([write])
    assert isinstance(outcome, Committed)
    model.updates += timed
    model.upper += span


async def compact(world: World, chosen: int, passes: int) -> None:
    (collection,) = world.controller.collections()
    batches = tuple(batch for i, batch in enumerate(collection.state.batches) if chosen >> i & 1)
    if not batches:
        return
    try:
        write = await prepare_compaction(
            collection.machine, world.blob, world.controller.runner, batches, 64 * 1024 if passes == 0 else 700
        )
    except SqlError as error:
        if error.sqlstate is not Sqlstate.IO_ERROR:
            raise
        return
    assert isinstance(await world.controller.commit([write]), Committed)


async def perform(world: World, model: Model, operation: tuple[str, object, int]) -> None:
    match operation:
        case ("append", list(updates), span):
            await append(world, model, updates, span)
        case ("compact", int(chosen), passes):
            await compact(world, chosen, passes)
        case ("since", int(step), _):
            model.since = max(model.since, min(model.since + step, model.upper))
            await world.seed.allow_compaction(U1, at(model.since))
        case ("round", _, _):
            await StorageMaintenance(world.controller).round()
        case ("restart", _, _):
            await load_again(world)
        case ("orphans", _, _):
            world.clock.ms += 10**8
            await StorageMaintenance(world.controller)._delete_orphans()


async def check(world: World, model: Model) -> None:
    frontiers = world.controller.frontiers(U1)
    assert frontiers.upper == at(model.upper)
    assert frontiers.since.precedes(at(model.since)), "the since moves only where it was allowed to"
    since = frontiers.since.time
    assert since is not None
    for time in range(since, model.upper):
        assert contents(await world.controller.reads.read(U1, Timestamp(time))) == model.at(time)
    if since > 0:
        with pytest.raises(SqlError, match=re.escape(f"its since is {{{since}}}")):
            snapshot_of(world.controller.collections()[0].state, Timestamp(since - 1))
    changes = world.controller.reads.updates_between(U1, Timestamp(since + 1), Timestamp(max(since + 1, model.upper)))
    counts: Counter[tuple[tuple[object, ...], int]] = Counter()
    for row, time, diff in model.updates:
        if time > since:
            counts[row, time] += diff
    listed = {
        (update.row, update.time): update.diff
        for update in updates_from_arrow(await read_changes(changes, world.blob), DESC)
    }
    assert listed == {key: diff for key, diff in counts.items() if diff != 0}


async def run(seed: int, operations: list[tuple[str, object, int]], *, faulty: bool) -> None:
    world, model = new_world(seed, faulty=faulty), Model()
    await world.seed.create(U1, DESC, at(0), at(0))
    for operation in operations:
        await perform(world, model, operation)
    if isinstance(world.consensus, UnreliableConsensus) and isinstance(world.blob, UnreliableBlob):
        world.consensus.faults = world.blob.faults = Faults()
    await check(world, model)
    await world.restart()
    await check(world, model)
    state = await read_state(world.consensus, "u1")
    assert state.seqno == world.controller.collections()[0].state.seqno


@draws(100, [HealthCheck.too_slow])
@given(operations=_operations)
def test_any_interleaving_gives_the_same_snapshots_as_a_list_of_updates(
    operations: list[tuple[str, object, int]],
) -> None:
    asyncio.run(run(0, operations, faulty=False))


@draws(100, [HealthCheck.too_slow])
@given(operations=_operations, seed=st.integers(0, 2**32))
def test_unknown_outcomes_and_failing_places_change_no_snapshot(
    operations: list[tuple[str, object, int]], seed: int
) -> None:
    asyncio.run(run(seed, operations, faulty=True))


@draws(50)
@given(seed=st.integers(0, 2**32))
def test_an_append_retried_with_its_token_happens_once(seed: int) -> None:
    async def body() -> None:
        world = new_world(seed, faulty=False)
        await world.seed.create(U1, DESC, at(0), at(0))
        row = updates_of(((1, "x"), 0, 1))
        for _ in range(3):
            write = await world.controller.prepare_append(U1, [row], at(0), at(1), exact=True)
            assert isinstance(await world.controller.commit([write], token="intent"), Committed)
            await world.restart()
        assert contents(await world.controller.reads.read(U1, Timestamp(0))) == {(1, "x"): 1}
        write = await world.controller.prepare_append(U1, [row], at(0), at(1), exact=True)
        assert isinstance(await world.controller.commit([write], token="another"), Conflict)

    asyncio.run(body())


class Crash:
    """Stops a place between a write and its sync, at the n-th time."""

    def __init__(self, countdown: int) -> None:
        self.countdown = countdown
        self.reached = asyncio.Event()

    async def pause(self) -> None:
        self.countdown -= 1
        if self.countdown == 0:
            self.reached.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)


async def loses_what_it_acknowledged(consensus: MemoryConsensus, blob: MemoryBlob, crash: Crash, rows: int) -> bool:
    """Writes until `crash`, cuts the power, starts again and looks."""
    world = World(consensus, blob, ManualClock(), SeededRandomness(0))
    acknowledged: list[int] = []

    async def write() -> None:
        await world.seed.create(U1, DESC, at(0), at(0))
        for time in range(20):
            updates = updates_of(*(((i, f"{time}"), time, 1) for i in range(rows)))
            prepared = await world.controller.prepare_append(U1, [updates], at(time), at(time + 1))
            assert isinstance(await world.controller.commit([prepared]), Committed)
            acknowledged.append(time)
            await StorageMaintenance(world.controller).round()

    writing = asyncio.create_task(write())
    reaching = asyncio.create_task(crash.reached.wait())
    await asyncio.wait([writing, reaching], return_when=asyncio.FIRST_COMPLETED)
    for task in (writing, reaching):
        task.cancel()
    for result in await asyncio.gather(writing, reaching, return_exceptions=True):
        assert not isinstance(result, Exception)
    consensus.crash()
    blob.crash()
    crash.countdown = 0
    await world.restart()
    if not acknowledged:
        return False
    if not world.controller.exists(U1) or world.controller.frontiers(U1).upper.less_equal(Timestamp(acknowledged[-1])):
        return True
    expected = {(i, f"{time}"): 1 for time in range(acknowledged[-1] + 1) for i in range(rows)}
    try:
        found = contents(await world.controller.reads.read(U1, Timestamp(acknowledged[-1])))
    except SqlError:
        return True
    return found != expected


@draws(60)
@given(countdown=st.integers(1, 40), rows=st.sampled_from([1, 60]))
def test_a_crash_that_loses_unsynced_writes_loses_nothing_acknowledged(countdown: int, rows: int) -> None:
    async def body() -> None:
        crash = Crash(countdown)
        consensus, blob = MemoryConsensus(crash.pause), MemoryBlob(crash.pause)
        assert not await loses_what_it_acknowledged(consensus, blob, crash, rows)

    asyncio.run(body())


class LyingConsensus(MemoryConsensus):
    async def _sync(self) -> bool:
        return False


class LyingBlob(MemoryBlob):
    async def _sync(self) -> bool:
        return False


async def test_a_place_that_leaves_out_the_sync_is_found_out() -> None:
    for lying_consensus in (True, False):
        crash = Crash(10)
        consensus = (LyingConsensus if lying_consensus else MemoryConsensus)(crash.pause)
        blob = (MemoryBlob if lying_consensus else LyingBlob)(crash.pause)
        assert await loses_what_it_acknowledged(consensus, blob, crash, rows=60)
