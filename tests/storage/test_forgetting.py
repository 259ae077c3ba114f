"""Dropped collections are forgotten once nothing is left of them, and nobody who remembers them brings them back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from storage.maintenance import TURNS, StorageMaintenance
from storage.persist.commit import Committed, Conflict
from storage.persist.location import Indeterminate
from storage.persist.state import Batch, ShardState
from storage.persist.transition import Refusal
from tests.storage.memory import MemoryConsensus
from tests.storage.worlds import DESC, World, at, contents, many_rows, table_of

U1, U2, U3 = (GlobalId.user(number) for number in (1, 2, 3))


def _maintenance(world: World, below: int = 100) -> StorageMaintenance:
    """Forgets collections with numbers below `below`."""

    async def forget() -> None:
        await world.controller.forget_dropped(lambda id_: id_.number < below)

    return StorageMaintenance(world.controller, {"dropped collections": forget})


async def _world(*ids: GlobalId, consensus: MemoryConsensus | None = None) -> World:
    world = World(consensus or MemoryConsensus())
    for id_ in ids:
        await world.seed.create(id_, DESC, at(0), at(0))
        write = await world.controller.prepare_append(id_, [many_rows()], at(0), at(1))
        assert isinstance(await world.controller.commit([write]), Committed)
    return world


async def _drop(world: World, *ids: GlobalId) -> None:
    assert isinstance(await world.controller.commit([world.controller.prepare_drop(id_) for id_ in ids]), Committed)


async def test_of_a_dropped_collection_nothing_is_left_in_either_place() -> None:
    world = await _world(U1, U2)
    await _drop(world, U1)
    for _ in range(3):
        await _maintenance(world).round()
    assert await world.consensus.list_keys("") == ["shard/u2"]
    assert all("u2" in key for key in await world.blob.list_keys(""))
    assert [collection.id for collection in world.controller.collections()] == [U2]
    await world.restart()
    assert [collection.id for collection in world.controller.collections()] == [U2]


async def test_rounds_look_at_what_has_changed_and_in_turns_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [GlobalId.user(number) for number in range(1, 41)]
    world = await _world(*ids)
    looked_at: list[str] = []

    def choose(state: ShardState) -> tuple[Batch, ...]:
        looked_at.append(state.shard)
        return ()

    monkeypatch.setattr("storage.maintenance.choose_batches", choose)
    maintenance = _maintenance(world)
    await maintenance.round(everything=False)
    assert sorted(looked_at) == sorted(map(str, ids)), "all are new to it"
    looked_at.clear()
    for _ in range(TURNS):
        await maintenance.round(everything=False)
    assert sorted(looked_at) == sorted(map(str, ids)), "each had its turn, once"
    looked_at.clear()
    for number in range(TURNS):
        write = await world.controller.prepare_append(U2, [], at(number + 1), at(number + 2))
        assert isinstance(await world.controller.commit([write]), Committed)
        await maintenance.round(everything=False)
        assert "u2" in looked_at
        assert len(looked_at) <= 1 + len(ids) // TURNS
        looked_at.clear()


async def test_what_is_held_or_may_be_bound_anew_is_not_forgotten() -> None:
    world = await _world(U1, U2, U3)
    read, _ = await world.seed.acquire_capabilities(U2)
    hold = world.controller.reads.hold(U3, Timestamp(0))
    await _drop(world, U1, U2, U3)
    for _ in range(3):
        await _maintenance(world, below=1).round()
    assert len(await world.consensus.list_keys("")) == 3
    for _ in range(3):
        await _maintenance(world).round()
    assert await world.consensus.list_keys("") == ["shard/u2", "shard/u3"]
    assert len(contents(await world.controller.reads.read(U3, Timestamp(0)))) == len(many_rows())
    hold.release()
    await world.seed.drop_capability(read)
    for held in world.controller.collections()[0].state.held:
        await world.controller.commit([world.controller.prepare_capabilities(U2, drop=[held.id])])
    for _ in range(3):
        await _maintenance(world).round()
    assert await world.consensus.list_keys("") == []


async def test_who_remembers_a_forgotten_collection_writes_it_nowhere() -> None:
    world = await _world(U1, U2)
    other = World(world.consensus, world.blob, world.clock, world.randomness)
    await other.controller.load()
    row = table_of((1, "late"))
    late = [await other.controller.prepare_append(id_, [row], at(1), at(2)) for id_ in (U1, U2)]
    compaction = other.controller.prepare_allow_compaction({U1: at(1)})
    await _drop(world, U1)
    for _ in range(3):
        await _maintenance(world).round()
    for writes in (late, compaction, [other.controller.prepare_drop(U1)]):
        outcome = await other.controller.commit(writes)
        assert isinstance(outcome, Conflict)
        assert outcome.refusals["shard/u1"].refusal is Refusal.ABSENT
    await StorageMaintenance(other.controller).round()
    assert await world.consensus.list_keys("") == ["shard/u2"]
    assert not other.controller.exists(U1)
    assert len(contents(await world.controller.reads.read(U2, Timestamp(0)))) == len(many_rows())


class _Overtaken(MemoryConsensus):
    """The next write takes place, is not answered, and before its writer asks again `overtake` has its turn."""

    overtake: Callable[[], Awaitable[None]] | None = None

    async def compare_and_set(self, expected: object, writes: object) -> bool:
        done = await super().compare_and_set(expected, writes)  # type: ignore[arg-type]
        if self.overtake is not None:
            overtake, self.overtake = self.overtake, None
            await overtake()
            raise Indeterminate("no answer")
        return done


@pytest.mark.parametrize("beside", [[], [U2]])
async def test_a_drop_in_doubt_is_never_told_to_have_failed_once_it_was_forgotten(beside: Sequence[GlobalId]) -> None:
    consensus = _Overtaken()
    world = await _world(U1, *beside, consensus=consensus)

    async def forget() -> None:
        other = World(world.consensus, world.blob, world.clock, world.randomness)
        await other.controller.load()
        for _ in range(3):
            await _maintenance(other).round()
        assert "shard/u1" not in await consensus.list_keys("")

    row = table_of((1, "beside"))
    writes = [await world.controller.prepare_append(id_, [row], at(1), at(2)) for id_ in beside]
    consensus.overtake = forget
    dropping = world.controller.commit([world.controller.prepare_drop(U1), *writes])
    if beside:
        assert isinstance(await dropping, Committed)
    else:
        with pytest.raises(SqlError) as raised:
            await dropping
        assert raised.value.sqlstate is Sqlstate.STATEMENT_COMPLETION_UNKNOWN


async def test_forgetting_that_is_not_answered_is_tried_again() -> None:
    class Unanswered(MemoryConsensus):
        answers = 0

        async def forget(self, keys: Sequence[str]) -> None:
            await super().forget(keys)
            self.answers += 1
            if self.answers < 3:
                raise Indeterminate("no answer")

    world = await _world(U1, consensus=Unanswered())
    await _drop(world, U1)
    for _ in range(3):
        await _maintenance(world).round()
    assert world.controller.collections() == []
