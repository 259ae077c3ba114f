"""What a view's tick has staged and does not write is deleted at once, whatever ended it; what is written stays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from compute.protocol.dataflow import DataflowDescription
from compute.replica.contents.held_counts import HeldCounts
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.running.shard_commits import ShardCommits
from compute.replica.running.shard_writer import ShardWriter, WriteRefused
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from model.updates.update import Update, updates_to_arrow
from planner.ir.relation import Get
from storage.persist import write
from storage.persist.shard import PreparedWrite
from storage.persist.write import PART_PREFIX, PartWriter
from tests.compute.dataflows.world import DESC, Replica, World, describe, shard_desc
from tests.compute.dataflows.worlds import run

_TABLE = GlobalId.user(1)


@pytest.fixture(autouse=True)
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tick stages parts, one for each of its tables."""
    monkeypatch.setattr(write, "REST_BYTES", 1)


async def _begun(world: World) -> tuple[Replica, DataflowDescription]:
    item = await world.table(1)
    await world.commit({1: [((number, "x"), 1) for number in range(20)]})
    shard = await world.view_shard(2, DESC)
    description = describe([item], (2, Get(_TABLE, DESC)), [shard], world.now - 1)
    replica = Replica(world)
    replica.start(description)
    await world.commit({1: [((50, "x"), 1)]})
    await replica.caught_up(2)
    return replica, description


async def _take_and_give(world: World) -> None:
    await world.commit({1: [((1, "x"), -1), ((100, "y"), 1)]})


async def _unnamed(world: World) -> set[str]:
    """The staged parts of the view that no state of its shard names."""
    await world.storage.load([GlobalId.user(2)])
    machine = world.storage.machine("u2")
    await machine.refresh()
    state = machine.state
    named = {part.key for batch in state.batches for part in batch.parts} | {each.key for each in state.garbage}
    return set(await world.blob.list_keys(f"{PART_PREFIX}u2/")) - named


Fault = Callable[[], Awaitable[object]]


async def _raise_unforeseen() -> None:
    raise RuntimeError("unforeseen")


async def _raise_full() -> None:
    raise SqlError(Sqlstate.DISK_FULL, "no space left")


async def _raise_refused() -> None:
    raise WriteRefused("another has written the shard meanwhile")


async def _wait_for_ever() -> None:
    await asyncio.get_running_loop().create_future()


_FAULTS: dict[str, Fault] = {
    "a defect": _raise_unforeseen,
    "a full disk": _raise_full,
    "another's write": _raise_refused,
    "the dataflow's end": _wait_for_ever,
}


@pytest.mark.parametrize("fault", _FAULTS.values(), ids=_FAULTS)
@pytest.mark.parametrize(
    "step", ((HeldCounts, "lacking"), (ShardWriter, "prepare"), (PartWriter, "finish")), ids=("check", "write", "stage")
)
def test_a_tick_that_ends_early_leaves_no_parts(
    step: tuple[type, str], fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(world: World) -> None:
        replica, _ = await _begun(world)
        happened: list[int] = []
        original = getattr(*step)

        async def fails(self: object, *args: object, **named: object) -> object:
            parts = len(await _unnamed(world))
            if step[0] is not ShardWriter or args[0]:
                happened.append(parts)
                await fault()
            return await original(self, *args, **named)

        if step[1] == "finish":
            # The parts are staged by then, and the writer still holds them.
            monkeypatch.setattr(PartWriter, "finish", _flushed_first(fails))
        else:
            monkeypatch.setattr(*step, fails)
        await _take_and_give(world)
        replica.hint()
        await replica.until(lambda: bool(happened))
        assert happened[0], "the tick had staged something"
        if fault is _wait_for_ever:
            await replica.dataflows.stop()
        else:
            await world.clock.sleep(0.01)
        assert not await _unnamed(world)
        assert not replica.places.stage.underway
        if fault is not _wait_for_ever:
            monkeypatch.setattr(*step, original)
            await replica.caught_up(2)
            assert await world.shard_at(2, world.now - 1) == _as_held(world)
            assert not await _unnamed(world)
            await replica.dataflows.stop()

    run(story)


def _flushed_first(then: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    async def finish(self: PartWriter) -> object:
        await self._flush()
        return await then(self)

    return finish


def _as_held(world: World) -> dict[tuple[object, ...], int]:
    return {(*row, None): count for row, count in world.rows_at(1, world.now).items()}


def test_a_correction_that_is_not_written_is_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(world: World) -> None:
        replica, description = await _begun(world)
        corrections: list[int] = []
        original = ShardSink.seal

        async def seal(self: ShardSink) -> None:
            await original(self)
            corrections.append(len(self._correction))

        monkeypatch.setattr(ShardSink, "seal", seal)
        await replica.kill()
        await _damage(world)
        replica = Replica(world)
        replica.start(description)
        await replica.until(lambda: any(corrections))
        assert await _unnamed(world)
        await replica.dataflows.stop()
        assert not await _unnamed(world)
        assert not replica.places.stage.underway

    run(story)


@pytest.mark.parametrize("landed", (True, False), ids=("written", "not written"))
def test_a_correction_whose_outcome_is_unknown_stays(landed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(world: World) -> None:
        replica, description = await _begun(world)
        await replica.kill()
        await _damage(world)
        original = ShardCommits.commit
        told: list[PreparedWrite] = []

        async def commit(self: ShardCommits, writer: ShardWriter, write: PreparedWrite) -> None:
            if told or landed:
                await original(self, writer, write)
            told.append(write)
            if len(told) == 1:
                write.abandon()
                raise SqlError(Sqlstate.STATEMENT_COMPLETION_UNKNOWN, "it does not say")

        monkeypatch.setattr(ShardCommits, "commit", commit)
        replica = Replica(world)
        replica.start(description)
        for _ in range(3):
            await _take_back(world)
            await replica.caught_up(2)
        assert told
        assert await world.shard_at(2, world.now - 1) == _as_held(world)
        assert len(await _unnamed(world)) <= (0 if landed else 2), "an hour later they are collected"
        assert not replica.places.stage.underway
        await replica.dataflows.stop()

    run(story)


async def _damage(world: World) -> None:
    """Writes of the view what is not its definition's: it lacks a row, and has another."""
    upper = await world.shard_upper(2)
    machine = world.storage.machine("u2")
    wrong = [Update((2, "x", None), Timestamp(upper), -1), Update((9, "wrong", None), Timestamp(upper), 1)]
    table = updates_to_arrow(wrong, shard_desc(DESC))
    append = await machine.prepare_append([table], Antichain.at(upper), Antichain.at(upper + 1), exact=True)
    await world.storage.commit([append])
    await world.commit({1: [((200, "z"), 1)]})


async def _take_back(world: World) -> None:
    (row,) = list(world.rows_at(1, world.now))[:1]
    await world.commit({1: [(row, -1)]})
