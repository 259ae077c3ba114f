"""The law of sinks: at every moment a destination that commits whole holds what the collection held at one time, and in
the end what it holds now, whatever has failed, died, or was taken over meanwhile."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from compute.protocol.response import DataflowPhase
from compute.replica.sinks.open_transaction import OpenTransaction
from compute.replica.sinks.sink_log import SinkLog
from compute.replica.sinks.sink_runner import SinkRunner
from connectors.sinks.description import SinkDescription
from connectors.sinks.messages import DriverState
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4
from storage.persist.state import ShardState
from tests.compute.dataflows.world import DESC, Replica, World
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.ranged_store import RangedStore
from tests.compute.sinks.stores import Destination, LogStore, PlainStore, StagedStore, TransactionalStore
from tests.compute.sinks.world import TABLE, Faults, create_sink, rows_by_key, writing
from tests.storage.unreliable import Faults as ConsensusFaults
from tests.storage.unreliable import UnreliableConsensus
from tests.storage.worlds import SeededRandomness

pytestmark = pytest.mark.slow

_SEEDS_MAX = 40
_CONSENSUS = ConsensusFaults(done=40, not_done=40, read_failure=20, latency_ms_max=10)


def drawn_changes(chance: random.Random, held: dict[tuple[object, ...], Row]) -> list[tuple[Row, int]]:
    """Of a few keys some come, some go, and some change."""
    changes: list[tuple[Row, int]] = []
    for key in chance.sample(range(8), chance.randrange(1, 5)):
        old = held.get((key,))
        if old is not None:
            changes.append((old, -1))
        if old is None or chance.random() < 0.6:
            changes.append(((key, f"v{chance.randrange(100)}"), 1))
    return changes


@dataclass(frozen=True)
class Kind:
    """What a sink writes: columns, changes that are drawn of them, and what a destination is to hold."""

    desc: RelationDesc
    draw: Callable[[random.Random, World], list[tuple[Row, int]]]
    holds: Callable[[World, int, dict[Row, Row]], bool]
    sums: tuple[int, ...] = ()
    key: tuple[int, ...] | None = (0,)
    heal: Callable[[World], list[tuple[Row, int]]] = lambda _world: []
    """Changes after which the destination can hold what there is."""


def _last_write(world: World, time: int, rows: dict[Row, Row]) -> bool:
    return rows == rows_by_key(world, time)


def _draw_documents(chance: random.Random, world: World) -> list[tuple[Row, int]]:
    return drawn_changes(chance, rows_by_key(world, world.now))  # type: ignore[arg-type]


def _draw_amounts(chance: random.Random, world: World) -> list[tuple[Row, int]]:
    """Any number of rows a key, of which some go again."""
    held = sorted(world.rows_at(TABLE, world.now).elements())
    gone = chance.sample(held, min(len(held), chance.randrange(3)))
    come = [(chance.randrange(6), chance.randrange(-9, 10)) for _ in range(chance.randrange(1, 4))]
    return [*((row, -1) for row in gone), *((row, 1) for row in come)]


def _draw_doubled(chance: random.Random, world: World) -> list[tuple[Row, int]]:
    """As documents, but that a key has two rows now and then."""
    held = sorted(world.rows_at(TABLE, world.now).elements())
    doubled = _surplus(world)
    if doubled and chance.random() < 0.5:
        return [(row, -1) for row in doubled]
    if held and chance.random() < 0.2:
        key, value = chance.choice(held)
        return [((key, str(value) + chance.choice(["", "x", "y", "z"])), 1)]
    keys = {row[0] for row in doubled}
    return [each for each in _draw_documents(chance, world) if each[0][0] not in keys]


def _surplus(world: World) -> list[Row]:
    """Rows without which each key has one."""
    known: set[object] = set()
    found = []
    for row in sorted(world.rows_at(TABLE, world.now).elements()):
        if row[0] in known:
            found.append(row)
        known.add(row[0])
    return found


def _unique(world: World, time: int, rows: dict[Row, Row]) -> bool:
    """The destination has never held one of two rows of a key."""
    return sorted(rows.values()) == sorted(world.rows_at(TABLE, time).elements())


def _heal(world: World) -> list[tuple[Row, int]]:
    return [(row, -1) for row in _surplus(world)]


def _sums(world: World, time: int, rows: dict[Row, Row]) -> bool:
    """Of each key the sum of its rows; a document stays when they are gone."""
    wanted: Counter[Any] = Counter()
    for (key, amount), count in world.rows_at(TABLE, time).items():
        wanted[key] += amount * count  # type: ignore[operator, assignment]
    found: dict[Any, Any] = {row[0]: row[1] for row in rows.values()}
    return all(found.get(key) == total for key, total in wanted.items()) and all(
        total == wanted[key] for key, total in found.items()
    )


def _changes(world: World, time: int, rows: dict[Row, Row]) -> bool:
    """What all changes come to, each of which is there once."""
    held: Counter[Row] = Counter()
    for change in rows:
        *row, _, diff = change
        held[tuple(row)] += diff  # type: ignore[assignment, operator]
    return +held == world.rows_at(TABLE, time) and min(held.values(), default=0) >= 0


DOCUMENTS = Kind(DESC, _draw_documents, _last_write)
DOUBLED = Kind(DESC, _draw_doubled, _unique, heal=_heal)
SUMS = Kind(relation_desc(("a", INT4), ("n", INT4)), _draw_amounts, _sums, (1,))
CHANGES = Kind(DESC, _draw_documents, _changes, key=None)


def check(world: World, destination: Destination | RangedStore, kind: Kind) -> None:
    """What is there is what was there at one time; of ranges of keys, each at its own."""
    if isinstance(destination, RangedStore):
        for part, frontier, rows in destination.shown(world):
            assert not frontier or kind.holds(part, frontier - 1, rows), f"at {frontier}"
    elif destination.frontier and not isinstance(destination, PlainStore):
        assert kind.holds(world, destination.frontier - 1, destination.rows), f"at {destination.frontier}"


def written(
    seed: int, destination: Destination | RangedStore, kind: Kind = DOCUMENTS, ranges: tuple[int, ...] = (1,)
) -> None:
    """A table changes, time passes, the destination and consensus fail, replicas die, two of them write, environments
    take over, keys are divided into as many `ranges` as one of these. AssertionError where the law does not hold. A
    store without a fence can't be kept from what an earlier
    writer still does: it has one at a time, which answers at once."""

    async def work(world: World) -> None:
        chance = random.Random(seed)
        await world.table(TABLE, kind.desc)
        description = replace(await create_sink(world, kind.desc), sums=kind.sums, key=kind.key)
        fenced = not isinstance(destination, PlainStore)
        # A range that fails alone comes apart from the others.
        faults = Faults(lost=0.04 if ranges == (1,) else 0.12, unanswered=0.04, slow=0.15 if fenced else 0.0)
        unreliable = UnreliableConsensus(world.consensus, world.clock, SeededRandomness(seed), _CONSENSUS)
        replicas: list[Replica] = []

        def divided() -> SinkDescription:
            count = chance.choice(ranges) if len(ranges) > 1 else ranges[0]
            return replace(description, policy=replace(description.policy, parallelism=count))

        for _ in range(60):
            match chance.randrange(8):
                case 0 if len(replicas) < 1 + fenced:
                    replicas.append(writing(world, destination, chance, faults, unreliable))
                    replicas[-1].start(divided())
                case 1 if replicas and chance.random() < 0.5:
                    replicas.pop().dataflows.kill()
                case 2 if replicas and chance.random() < 0.3:
                    preconditions = await world.raise_fence()
                    for replica in replicas:
                        await world.clock.sleep(chance.random() / 10)
                        replica.fencing.replace(preconditions)
                case 3 | 4:
                    await world.clock.sleep(chance.random())
                case _:
                    await world.commit({TABLE: kind.draw(chance, world)}, after_ms=chance.randint(1, 50))
            for replica in replicas:
                replica.hint()
            check(world, destination, kind)
        unreliable.faults = ConsensusFaults()
        faults.lost = faults.unanswered = faults.slow = 0.0
        for replica in replicas:
            replica.dataflows.kill()
        last = writing(world, destination, chance, faults)
        last.start(divided())
        await world.commit({TABLE: kind.draw(chance, world)})
        if healing := kind.heal(world):
            await world.commit({TABLE: healing})
        last.hint()
        now = world.now
        await last.until(lambda: destination.frontier == now and kind.holds(world, now, destination.rows), 120.0)
        await last.dataflows.stop()

    run(work)


_WRITTEN = {
    "documents, transactional": (TransactionalStore, DOCUMENTS),
    "documents, staged": (StagedStore, DOCUMENTS),
    "documents, plain": (PlainStore, DOCUMENTS),
    "keys of two rows, transactional": (TransactionalStore, DOUBLED),
    "keys of two rows, staged": (StagedStore, DOUBLED),
    "sums, transactional": (TransactionalStore, SUMS),
    "sums, staged": (StagedStore, SUMS),
    "changes, transactional": (LogStore, CHANGES),
}


@pytest.mark.in_part(6)
@pytest.mark.parametrize("what", _WRITTEN)
def test_no_seed_shows_a_destination_with_what_never_was(what: str, simulation_seeds: range) -> None:
    """`--simulation-seeds N` draws N/2 histories of each pattern and kind."""
    make, kind = _WRITTEN[what]
    shown = {}
    for seed in range(len(simulation_seeds) // 2):
        try:
            written(seed, make(), kind)
        except AssertionError as violation:
            shown[seed] = str(violation)
    assert shown == {}


@pytest.mark.parametrize("store", [TransactionalStore, StagedStore, PlainStore])
@pytest.mark.parametrize("doubled", [[((9, "p"), 1), ((9, "q"), 1)], [((1, "x"), 1)], [((None, "n"), 1)]])
def test_it_stops_right_before_a_key_is_not_unique(
    store: type[TransactionalStore | StagedStore | PlainStore], doubled: list[tuple[Row, int]]
) -> None:
    """Whether both of its rows are new, or one was there, or it is NULL: what came before, within the same transaction,
    is there; and what came after when it heals."""
    destination, chance = store(), random.Random(1)
    if store is PlainStore and doubled[0][0][0] == 1:
        return  # a store that takes any document can't say that one is there

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        await world.commit({TABLE: [((1, "a"), 1), ((2, "b"), 1)]})
        replica = writing(world, destination, chance, Faults())
        replica.start(replace(description, policy=replace(description.policy, age_ms=5_000, rows_max=1_000)))
        replica.hint()
        await replica.until(lambda: destination.frontier == world.now, 60.0)
        for number in range(3):
            await world.commit({TABLE: [((1, "a" * (number + 1)), -1), ((1, "a" * (number + 2)), 1)]}, after_ms=3)
        # It came, and went again: no transaction needs to close before that.
        await world.commit({TABLE: [((2, "c"), 1)]}, after_ms=3)
        await world.commit({TABLE: [((2, "c"), -1)]}, after_ms=3)
        good = world.now
        held = rows_by_key(world, good)
        await world.commit({TABLE: doubled}, after_ms=3)
        await world.commit({TABLE: [((3, "c"), 1)]}, after_ms=3)
        replica.hint()
        await replica.until(lambda: destination.rows == held, 60.0)
        await world.clock.sleep(30.0)
        assert destination.rows == held
        assert good <= destination.frontier
        failures = [each for each in replica.statuses() if each.phase is DataflowPhase.FAILING]
        assert 0 < len(failures) < 5, "what nothing heals is tried again and again"
        await world.commit({TABLE: [(row, -diff) for row, diff in doubled]}, after_ms=3)
        replica.hint()
        await replica.until(lambda: destination.frontier == world.now, 60.0)
        assert destination.rows == rows_by_key(world, world.now)
        await replica.dataflows.stop()

    run(work)


def test_parts_of_a_transaction_are_written_over_wherever_the_next_one_would_close() -> None:
    """Between its end and that of one that never ended, a document may have gone there and back."""
    destination, chance = PlainStore(), random.Random(1)

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        await world.commit({TABLE: [((1, "a"), 1)]})
        replica = writing(world, destination, chance, Faults())
        replica.start(description)
        replica.hint()
        await replica.until(lambda: destination.frontier == world.now, 60.0)
        destination.ends = False
        await world.commit({TABLE: [((key, "x"), 1) for key in range(2, 8)]})
        await world.commit({TABLE: [((1, "a"), -1), ((1, "b"), 1)]})
        replica.hint()
        await replica.until(lambda: destination.rows.get((1,)) == (1, "b"), 60.0)
        replica.dataflows.kill()
        destination.ends = True
        await world.commit({TABLE: [((1, "b"), -1), ((1, "a"), 1)]})
        another = writing(world, destination, chance, Faults())
        another.start(replace(description, policy=replace(description.policy, rows_max=5)))
        another.hint()
        await another.until(lambda: destination.frontier == world.now, 60.0)
        assert destination.rows == rows_by_key(world, world.now)
        await another.dataflows.stop()

    run(work)


def test_a_sink_whose_environment_is_superseded_leaves_the_destination_to_the_next() -> None:
    """It could record nothing there, and would only end the session of the one that can."""
    destination, chance = TransactionalStore(), random.Random(1)

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        await world.commit({TABLE: [((1, "a"), 1)]})
        old = writing(world, destination, chance, Faults())
        old.start(description)
        old.hint()
        await old.until(lambda: destination.frontier == world.now, 60.0)
        await world.raise_fence()
        new = writing(world, destination, chance, Faults())
        new.start(description)
        new.hint()
        await world.clock.sleep(10)
        opened = destination.fence
        for key in range(2, 6):
            await world.commit({TABLE: [((key, "x"), 1)]})
            old.hint()
            new.hint()
            await new.until(lambda: destination.frontier == world.now, 60.0)
            await world.clock.sleep(10)
        assert destination.fence == opened, "a session of the old one has ended that of the new one"
        await old.dataflows.stop()
        await new.dataflows.stop()

    run(work)


def test_sums_show_what_is_applied_twice() -> None:
    """Where a store has no transactions, a part of one that never ended is counted again."""
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            written(seed, PlainStore(), SUMS)


def _log_before_the_destination(patch: pytest.MonkeyPatch) -> Destination:
    """The log says that the destination has what it is only about to be given."""
    whole = SinkRunner._read

    async def read(runner: SinkRunner, transaction: OpenTransaction, upper: Timestamp) -> Timestamp:
        upper = await whole(runner, transaction, upper)
        await runner._logged(upper, None, 1)
        return upper

    patch.setattr(SinkRunner, "_read", read)
    return PlainStore()


def _unchecked_fence(patch: pytest.MonkeyPatch) -> Destination:
    return TransactionalStore(checks_fence=False)


def _applied_before_the_log(patch: pytest.MonkeyPatch) -> Destination:
    return StagedStore(applies_at_once=True)


def _log_trusted_over_the_destination(patch: pytest.MonkeyPatch) -> Destination:
    """What the destination says of itself is not heard."""
    whole = SinkRunner._open

    async def open_(runner: SinkRunner, *, anew: bool) -> Timestamp:
        await whole(runner, anew=anew)
        return runner._log.frontier

    patch.setattr(SinkRunner, "_open", open_)
    return TransactionalStore()


def _state_lost(patch: pytest.MonkeyPatch) -> Destination:
    """What the driver remembers does not get into the log."""
    whole = SinkLog.append

    async def append(
        log: SinkLog, frontier: Timestamp, patch: DriverState | None, input_: str, ranges: int
    ) -> ShardState:
        return await whole(log, frontier, None, input_, ranges)

    patch.setattr(SinkLog, "append", append)
    return StagedStore()


def _parts_forgotten(patch: pytest.MonkeyPatch) -> Destination:
    """What a transaction that did not end has left is taken for what was there before."""
    return PlainStore(says_partial=False)


def _read_from_before_what_commits(patch: pytest.MonkeyPatch) -> Destination:
    """The next transaction begins where the one that is under way does, and not where that ends."""
    whole = SinkRunner._read_ahead
    patch.setattr(SinkRunner, "_read_ahead", lambda runner, _lower: whole(runner, runner._position))
    return TransactionalStore()


def _begun_where_none_has_ended(patch: pytest.MonkeyPatch) -> Destination:
    """The next transaction begins where the one that is under way was to end, and not where its keys had it end."""
    whole = SinkRunner._before_doubled_keys

    async def before(runner: SinkRunner, upper: Timestamp, read_to: Timestamp) -> tuple[Timestamp, bool]:
        found = await whole(runner, upper, read_to)
        runner._read_ahead(upper)
        return found

    patch.setattr(SinkRunner, "_before_doubled_keys", before)
    return TransactionalStore()


def _loaded_from_before_the_commit(patch: pytest.MonkeyPatch) -> Destination:
    return StagedStore(applies_late=True)


@pytest.mark.parametrize(
    ("plant", "kind"),
    [
        (_log_before_the_destination, DOCUMENTS),
        (_unchecked_fence, DOCUMENTS),
        (_applied_before_the_log, DOCUMENTS),
        (_log_trusted_over_the_destination, DOCUMENTS),
        (_state_lost, DOCUMENTS),
        (_parts_forgotten, DOCUMENTS),
        (_read_from_before_what_commits, SUMS),
        (_begun_where_none_has_ended, DOUBLED),
        (_loaded_from_before_the_commit, SUMS),
    ],
)
def test_a_planted_bug_is_seen(
    plant: Callable[[pytest.MonkeyPatch], Destination], kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(_SEEDS_MAX):
        try:
            with monkeypatch.context() as patch:
                written(seed, plant(patch), kind)
        except AssertionError:
            return
    raise AssertionError("no seed has found it")
