"""Statements and the seed's commands come to the same: the environment's right is that of its capabilities."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.time.capability import ReadCapability, WriteCapability
from model.time.timestamp import Timestamp
from storage.persist.commit import Committed
from storage.persist.state import CapabilityKind
from tests.draws import draws
from tests.storage.worlds import DESC, World, at, contents, table_of

U1 = GlobalId.user(1)

Append = Callable[[World, WriteCapability, int, int], Awaitable[WriteCapability | None]]
"""A row at a time before the last number, where the append begins at the first; None when it was refused."""


async def _as_a_statement(world: World, capability: WriteCapability, lower: int, upper: int) -> WriteCapability | None:
    try:
        write = await world.controller.prepare_append(U1, [table_of((lower, "x"))], at(lower), at(upper))
    except SqlError:
        return None
    outcome = await world.controller.commit([write])
    if not isinstance(outcome, Committed):
        write.abandon()
        return None
    return capability


async def _as_the_seed_has_it(
    world: World, capability: WriteCapability, lower: int, upper: int
) -> WriteCapability | None:
    stated = WriteCapability(capability.id, capability.collection, at(lower), capability.lease_ms)
    try:
        return await world.seed.update_and_downgrade(stated, [table_of((lower, "x"))], at(upper))
    except SqlError:
        return None


async def _history(append: Append, appends: list[tuple[int, int]], users: bool) -> list[object]:
    """What can be seen of a collection after each append."""
    world = World()
    _, write = await world.seed.create(U1, DESC, at(5), at(5))
    if users:
        # Another writer, who stays where it is, keeps the upper for both.
        await world.seed.acquire_capabilities(U1)
    seen: list[object] = []
    for lower, upper in appends:
        written = await append(world, write, lower, upper)
        state = world.controller.machine(str(U1)).state
        held = sorted((held.kind, held.frontier.time or 0) for held in state.held)
        frontiers = world.controller.frontiers(U1)
        seen.append((written is not None, held, frontiers))
    last = world.controller.frontiers(U1).upper.time
    assert last is not None
    seen.append({} if last == 5 else contents(await world.controller.reads.read(U1, Timestamp(last - 1))))
    return seen


@draws(60)
@given(appends=st.lists(st.tuples(st.integers(3, 20), st.integers(3, 20)), max_size=5), users=st.booleans())
def test_an_append_of_a_commit_is_an_update_and_downgrade(appends: list[tuple[int, int]], users: bool) -> None:
    mine = asyncio.run(_history(_as_a_statement, appends, users))
    assert mine == asyncio.run(_history(_as_the_seed_has_it, appends, users))


async def test_neither_writes_what_was_given_up() -> None:
    world = World()
    _, write = await world.seed.create(U1, DESC, at(5), at(5))
    await world.controller.commit([world.controller.prepare_drop(U1)])
    assert await _as_a_statement(world, write, 5, 6) is None
    assert await _as_the_seed_has_it(world, write, 5, 6) is None


@pytest.mark.parametrize("durable", [True, False])
async def test_a_hold_keeps_the_since_as_a_capability_does(durable: bool) -> None:
    world = World()
    await world.seed.create(U1, DESC, at(5), at(5))
    held: ReadCapability | None = None
    if durable:
        held, users_write = await world.seed.acquire_capabilities(U1)
        await world.seed.drop_capability(users_write)
    else:
        hold = world.controller.reads.hold(U1, Timestamp(5))
    await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(5)
    if held is not None:
        await world.seed.drop_capability(held)
    else:
        hold.release()
        await world.seed.allow_compaction(U1, at(50))
    assert world.controller.frontiers(U1).since == at(50)
    kinds = [held.kind for held in world.controller.machine(str(U1)).state.held]
    assert sorted(kinds) == sorted((CapabilityKind.READ, CapabilityKind.WRITE))
