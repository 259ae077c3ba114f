"""An ingestion that makes way for another: it is told of its collections one by one that they are dropped, and whatever
comes in between, there is no time at which one of them is bound without the others. Of one that was added it knows
nothing, and may go on for a while."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from compute.protocol.command import (
    AllowCompaction,
    Command,
    CreateSources,
    Hello,
    InitializationComplete,
    RenderSources,
)
from compute.replica.tasks.events import DataflowInstruction, Disconnected, Event, Received
from compute.replica.tasks.state import ReplicaState
from connectors.gauge import joined_note, without_joined
from connectors.postgres.source.copies import Copies
from connectors.sources.description import (
    CollectionType,
    IngestionDescription,
    PostgresTables,
    ReclockedCollection,
    StorageCollectionId,
)
from model.external.publications import UpstreamSystem
from model.ids.global_id import GlobalId
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from storage.persist.runner import InlineRunner
from storage.persist.snapshot import read_snapshot, snapshot
from tests.compute.dataflows.world import Replica, World, counted
from tests.compute.dataflows.worlds import run
from tests.compute.ingestions.log import Log
from tests.compute.ingestions.world import DESC, ENCODING, SOURCE, bindings, bound_now, create_source, ingesting
from tests.compute.test_history import INSTANCE

_FIRST, _SECOND, _ADDED = (GlobalId.user(number) for number in (2, 3, 4))
_BETWEEN_S = 3.0


class _Told:
    """A replica that is told by commands."""

    def __init__(self, replica: Replica) -> None:
        self._state = ReplicaState(secret="s", version="v", ready=True)
        self._replica = replica

    def begin(self, connection: int, *commands: Command) -> None:
        """An environment connects that wants these."""
        hello = Hello(f"{connection}", "v", "s", "c")
        self.tell(connection, hello, INSTANCE, *commands, InitializationComplete())

    def tell(self, connection: int, *commands: Command) -> None:
        for command in commands:
            self._handle(Received(connection, command))

    def leave(self, connection: int) -> None:
        self._handle(Disconnected(connection))

    def _handle(self, event: Event) -> None:
        for instruction in self._state.handle(event):
            if isinstance(instruction, DataflowInstruction):
                self._replica.dataflows.carry_out(instruction)


async def _with_table(
    world: World, description: IngestionDescription, id_: GlobalId, joins: int = 0
) -> IngestionDescription:
    at = Antichain(world.now)
    await world.seed.create(id_, DESC, at, at)
    return replace(
        description, collections=(*description.collections, ReclockedCollection(id_, DESC, ENCODING, joins=joins))
    )


def _wanted(description: IngestionDescription) -> tuple[Command, Command]:
    collections = tuple(StorageCollectionId(SOURCE, each) for each in CollectionType)
    return CreateSources((description,)), RenderSources(collections)


async def _uppers(world: World, ids: Sequence[GlobalId]) -> set[Antichain]:
    await world.storage.load([*ids])
    return {world.storage.machine(str(id_)).state.upper for id_ in ids}


async def _caught_up(world: World, log: Log, *, joined: bool = False) -> None:
    for _ in range(50):
        frontier = await bound_now(world) or {}
        if without_joined(frontier) == log.end and (joined_note(_ADDED) in frontier or not joined):
            return
        await world.clock.sleep(0.2)
    raise AssertionError(f"bound up to {frontier} of {log.end}")


async def _check(world: World, log: Log, description: IngestionDescription) -> None:
    """At every time all collections hold what the remap collection says of the log."""
    found = await bindings(world)
    await world.storage.load([each.id for each in description.collections])
    for time, frontier in found.items():
        for each in description.collections:
            state = world.storage.machine(str(each.id)).state
            known = frontier if not each.joins or joined_note(each.id) in frontier else {}
            if state.since.less_equal(Timestamp(time)):
                contents = await read_snapshot(snapshot(state, Timestamp(time)), world.blob, InlineRunner())
                assert counted(contents, state.desc) == log.rows_below(known), f"{each.id} at {time}"


@pytest.mark.parametrize("killed_after", [1, 2, 3, 4])
def test_an_ingestion_that_is_told_one_by_one_to_drop_its_collections_binds_none_without_the_others(
    killed_after: int,
) -> None:
    """There are four; after as many of them the environment is killed, or not at all."""

    async def work(world: World) -> None:
        log = Log()
        old = await create_source(world)
        for id_ in (_FIRST, _SECOND):
            old = await _with_table(world, old, id_)
        replica = ingesting(world, log, random.Random(0))
        told = _Told(replica)
        told.begin(1, *_wanted(old))
        log.append(0, "a")
        await _caught_up(world, log)
        ids = old.export_ids
        assert len(ids) == 4 >= killed_after
        for number, id_ in enumerate(ids[:killed_after]):
            told.tell(1, AllowCompaction(id_, EMPTY))
            log.append(number % 3, f"beside {number}")
            await world.clock.sleep(_BETWEEN_S)
            assert len(await _uppers(world, ids)) == 1, f"after {id_} one is bound without the others"
        assert bool(log.readers) == (killed_after < len(ids)), "it goes on until the last one is dropped"
        new = await _with_table(world, old, _ADDED, joins=1)
        if killed_after < len(ids):
            told.leave(1)
            log.append(0, "while nobody is there")
            await world.clock.sleep(_BETWEEN_S)
            told.begin(2, *_wanted(new))
        else:
            told.tell(1, *_wanted(new))
        log.append(1, "after")
        await _caught_up(world, log, joined=True)
        await _check(world, log, new)
        await replica.dataflows.stop()

    run(work)


def test_an_added_collection_that_the_environment_has_completed_joins_though_others_were_bound_further_without_it() -> (
    None
):
    """As the commit does of a transaction that has read the source, right after the table was created."""

    async def work(world: World) -> None:
        log = Log()
        old = await create_source(world)
        replica = ingesting(world, log, random.Random(0))
        told = _Told(replica)
        told.begin(1, *_wanted(old))
        log.append(0, "a")
        await _caught_up(world, log)
        new = await _with_table(world, old, _ADDED, joins=1)
        storage = world.storage
        (upper,) = await _uppers(world, old.export_ids)
        assert upper.time is not None
        await storage.load([_ADDED])
        lowers = [(id_, storage.frontiers(id_).upper) for id_ in new.export_ids]
        upto = Antichain(Timestamp(upper.time + 5))
        await storage.commit([await storage.prepare_append(id_, [], lower, upto, exact=True) for id_, lower in lowers])
        log.append(0, "beside")
        await _caught_up(world, log)
        assert len(await _uppers(world, new.export_ids)) == 2, "the others were bound further"
        told.tell(1, *(AllowCompaction(id_, EMPTY) for id_ in old.export_ids), *_wanted(new))
        await _caught_up(world, log, joined=True)
        await _check(world, log, new)
        await replica.dataflows.stop()

    run(work)


@pytest.mark.parametrize("following", [True, False])
def test_what_was_copied_goes_with_the_last_ingestion_that_reads_by_the_slot(
    following: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def work(world: World) -> None:
        place = PostgresTables((), (), "p", "headwater_x", UpstreamSystem("1", 1), ())
        old = await create_source(world, place=place)
        copies = Copies(tmp_path / "copies", place)
        copies.begin(7)
        replica = ingesting(world, Log(), random.Random(0))
        told = _Told(replica)
        told.begin(1, *_wanted(old))
        await world.clock.sleep(1.0)
        new = await _with_table(world, old, _ADDED)
        told.tell(1, *(AllowCompaction(id_, EMPTY) for id_ in old.export_ids), *(_wanted(new) if following else ()))
        await world.clock.sleep(1.0)
        assert (tmp_path / "copies" / place.slot).exists() == following
        await replica.dataflows.stop()

    run(work)
