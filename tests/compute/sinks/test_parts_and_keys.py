"""A key that is not unique, where a transaction shows in parts: what is there stops right before it, however many parts
of what can't come to its end were there by then."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace

import pytest
from botocore.exceptions import ClientError

from compute.protocol.response import DataflowPhase
from compute.replica.sinks import input_updates, sink_runner
from compute.replica.sinks.sink_documents import SinkDocuments
from compute.replica.sinks.sink_runner import SinkRunner
from connectors.sinks.documents import touched_documents
from connectors.sinks.driver import Driver
from model.types.datum import Row
from tests.compute.dataflows.world import DESC, World
from tests.compute.dataflows.worlds import run
from tests.compute.sinks.ranged_store import RangedStore
from tests.compute.sinks.stores import PlainStore
from tests.compute.sinks.test_sinks import DOUBLED, written
from tests.compute.sinks.world import TABLE, Faults, create_sink, rows_by_key, writing
from tests.connectors.sinks.destinations import dynamodb_destination

pytestmark = pytest.mark.slow

_KEYS = 40
_SEEDS_MAX = 40


@dataclass
class _Store:
    """A destination, and what a reader finds there."""

    driver: Callable[[], Driver]
    read: Callable[[], Counter[Row]]


@pytest.fixture(params=["memory", "dynamodb"])
def store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[_Store]:
    """Each transaction of some documents takes several portions."""
    if request.param == "memory":
        for module in (input_updates, sink_runner):
            monkeypatch.setattr(module, "STORE_ROWS", 2)
        memory = RangedStore(portions=True)
        yield _Store(memory.driver, lambda: Counter(memory.rows.values()))
        return
    monkeypatch.setattr("connectors.dynamodb.driver._ITEMS_MAX", 2)
    with closing(dynamodb_destination(request.getfixturevalue("amazon"), "docs", DESC)) as found:

        def read() -> Counter[Row]:
            """Nothing is there before the table is."""
            with suppress(ClientError):
                return found.read()
            return Counter()

        yield _Store(found.driver, read)


def _stops(store: _Store, ranges: int, changes: list[list[tuple[Row, int]]], held: int) -> None:
    """So many of the commits, which come together, are there; and the others when it heals. The first one comes at the
    very time from which on nothing is there yet."""

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        policy = replace(description.policy, parallelism=ranges, age_ms=5_000, rows_max=1_000)
        await world.commit({TABLE: [((key, "a"), 1) for key in range(_KEYS)]})
        replica = writing(world, store, random.Random(1), Faults())
        replica.start(replace(description, policy=policy))
        for at in range(2):
            await world.commit({TABLE: [((0, "a" * (at + 1)), -1), ((0, "a" * (at + 2)), 1)]})
            replica.hint()
            await replica.until(lambda: store.read() == world.rows_at(TABLE, world.now), 60.0)
        wanted = world.rows_at(TABLE, world.now)
        for at, each in enumerate(changes):
            await world.commit({TABLE: each}, after_ms=3 if at else 1)
            if at + 1 == held:
                wanted = world.rows_at(TABLE, world.now)
        replica.hint()
        await world.clock.sleep(40.0)
        assert store.read() == wanted
        failures = [each for each in replica.statuses() if each.phase is DataflowPhase.FAILING]
        assert "Key (a)=(30) is not unique." in (failures[-1].message or "")
        assert len(failures) < 5, "what nothing heals is tried again and again"
        await world.commit({TABLE: [((30, "doubled"), -1)]}, after_ms=3)
        replica.hint()
        await replica.until(lambda: store.read() == world.rows_at(TABLE, world.now), 60.0)
        await replica.dataflows.stop()

    run(work)


def _changed(before: str, after: str) -> list[tuple[Row, int]]:
    return [change for key in range(2, 12) for change in (((key, before), -1), ((key, after), 1))]


_NEW: list[tuple[Row, int]] = [((100 + key, "new"), 1) for key in range(10)]
_DOUBLED: tuple[Row, int] = ((30, "doubled"), 1)


@pytest.mark.parametrize("ranges", [1, 3])
def test_what_came_before_is_there_and_nothing_of_what_came_with_it(store: _Store, ranges: int) -> None:
    changes = [_changed("a", "b"), [((20, "a"), -1), *_NEW[:3]], [*_changed("b", "c"), _DOUBLED, *_NEW[3:]]]
    _stops(store, ranges, changes, 2)


@pytest.mark.parametrize("ranges", [1, 3])
def test_parts_are_undone_where_nothing_came_before(store: _Store, ranges: int) -> None:
    _stops(store, ranges, [[*_changed("a", "b"), ((20, "a"), -1), _DOUBLED, *_NEW]], 0)


def _parts_believed(patch: pytest.MonkeyPatch) -> None:
    """What has parts is written over without asking whether keys are unique."""
    patch.setattr(SinkRunner, "_counts_keys", property(lambda runner: False))


def _parts_left(patch: pytest.MonkeyPatch) -> None:
    """What can't come to its end stays as it is."""

    async def undo(documents: SinkDocuments, position: object, read_to: object) -> None:
        pass

    patch.setattr(SinkDocuments, "undo_parts", undo)


def _newest_taken(patch: pytest.MonkeyPatch) -> None:
    """Of each key the last change tells what it is, whoever it is of, and whenever."""
    patch.setattr(
        input_updates,
        "documents_at",
        lambda updates, sink, lower, closing: touched_documents(updates, sink),
    )


@pytest.mark.parametrize("plant", [_parts_believed, _parts_left, _newest_taken])
@pytest.mark.parametrize("store", ["memory"], indirect=True)
def test_a_planted_bug_is_seen(
    plant: Callable[[pytest.MonkeyPatch], None], store: _Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        test_parts_are_undone_where_nothing_came_before(store, 1)


def test_a_histories_planted_bug_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    _parts_believed(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(_SEEDS_MAX):
            written(seed, RangedStore(portions=True), DOUBLED, (1,))


def test_a_key_that_was_null_for_some_time_does_not_stop_what_takes_any_document() -> None:
    """Nor is a row that has such a key left out silently."""
    destination, chance = PlainStore(), random.Random(1)

    async def work(world: World) -> None:
        await world.table(TABLE, DESC)
        description = await create_sink(world, DESC)
        await world.commit({TABLE: [((1, "a"), 1)]})
        replica = writing(world, destination, chance, Faults())
        replica.start(description)
        replica.hint()
        await replica.until(lambda: destination.frontier == world.now, 60.0)
        replica.dataflows.kill()
        await world.commit({TABLE: [((None, "n"), 1), ((2, "b"), 1)]})
        another = writing(world, destination, chance, Faults())
        another.start(description)
        another.hint()
        await another.until(lambda: any("null value" in (each.message or "") for each in another.statuses()), 60.0)
        assert destination.rows == {(1,): (1, "a")}
        await world.commit({TABLE: [((None, "n"), -1)]})
        another.hint()
        await another.until(lambda: destination.frontier == world.now, 60.0)
        assert destination.rows == rows_by_key(world, world.now)
        await another.dataflows.stop()

    run(work)
