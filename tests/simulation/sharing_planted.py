"""Bugs that only sharing and rounds could have, planted on purpose: some seed must show each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.compute as pc

from compute.arrangement.layout import Layout
from compute.replica.dataflows.exports.export_sinks import Exports
from compute.replica.dataflows.exports.shard_sink import ShardSink
from compute.replica.dataflows.kept import KeptState, open_kept
from compute.replica.dataflows.runner import DataflowRunner
from compute.replica.dataflows.sharing import Sharers
from compute.replica.dataflows.shelf import Shelf
from compute.replica.dataflows.states import States
from compute.replica.running import shard_commits
from compute.replica.running.places import Places
from compute.replica.running.shard_writer import ShardWriter, commit_writes
from model.physical.columns import TIME_COLUMN
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp, step_back
from storage.persist.runner import Runner
from storage.persist.shard import PreparedWrite
from tests.simulation import kept_interpreted


@contextmanager
def they_become_one_amid_a_tick() -> Iterator[None]:
    """What joins is a tick ahead of its export: what takes it is on its way already."""

    def early(self: Sharers[DataflowRunner], one: DataflowRunner) -> bool:
        if one not in self.members:
            return False
        for other in list(self._others(one)) if one.joinable and not one.keeping else ():
            if not other.keeping and one.upper in (other.upper, other.heading):
                goes_on, ends = (one, other) if one.shared else (other, one)
                goes_on.take(ends)
                self.leave(ends)
                self._joined(goes_on, ends)
                if ends is one:
                    return False
        return True

    with patch.object(Sharers, "meet", early):
        yield


@contextmanager
def what_one_shard_has_is_taken_for_what_all_have() -> Iterator[None]:
    """After a death between the commits of two members, what the one that is behind lacks is left out for it too."""
    begin, take = Exports.begin, ShardSink._take

    def furthest(self: Exports, lower: Timestamp, upper: Antichain) -> None:
        begin(self, lower, upper)
        sinks = self.of(ShardSink).values()
        for sink in sinks:
            sink.__dict__["furthest"] = reduce(Antichain.join, (each.writer.upper for each in sinks))

    def leave_out(self: ShardSink, updates: pa.Table, *, consolidated: bool) -> None:
        time = self.__dict__["furthest"].time
        if not self._hydrating and time is not None:
            updates = updates.filter(pc.greater_equal(updates.column(TIME_COLUMN), time))
        take(self, updates, consolidated=consolidated)

    with patch.object(Exports, "begin", furthest), patch.object(ShardSink, "_take", leave_out):
        yield


@contextmanager
def what_a_checkpoint_lacks_is_taken_for_empty() -> Iterator[None]:
    """Who has joined since the last checkpoint in common goes on from what that has of it: nothing."""

    async def opened(states: States, shelf: Shelf, layouts: Mapping[str, Layout], runner: Runner) -> KeptState:
        state = await open_kept(states, shelf, layouts, runner)
        if state.kept is not None:
            upper, sinces = state.kept
            state.kept = (upper, {**dict.fromkeys(shelf.exports, step_back(upper)), **sinces})
        return state

    with patch.object(kept_interpreted, "open_kept", opened):
        yield


@contextmanager
def all_are_told_with_the_first() -> Iterator[None]:
    """Of writes that go together the first is made, all are told that they are, and the others are made soon."""

    async def hasty(writes: Sequence[tuple[ShardWriter, PreparedWrite]], places: Places) -> None:
        await commit_writes(writes[:1], places)
        if others := writes[1:]:
            later.append(asyncio.create_task(late(others, places)))

    async def late(writes: Sequence[tuple[ShardWriter, PreparedWrite]], places: Places) -> None:
        await places.clock.sleep(0.02)
        await commit_writes(writes, places)

    later: list[asyncio.Task[None]] = []
    with patch.object(shard_commits, "commit_writes", hasty):
        yield


@dataclass(frozen=True, slots=True)
class PlantedInSharing:
    """`first`: the seed to begin with, one that shows it sooner than others."""

    plant: Callable[[], AbstractContextManager[Any]]
    first: int = 0


BUGS = {
    "they become one amid a tick": PlantedInSharing(they_become_one_amid_a_tick, first=36),
    "what one shard has is taken for what all have": PlantedInSharing(
        what_one_shard_has_is_taken_for_what_all_have, first=17
    ),
    "what a checkpoint lacks is taken for empty": PlantedInSharing(
        what_a_checkpoint_lacks_is_taken_for_empty, first=10
    ),
    "all are told with the first": PlantedInSharing(all_are_told_with_the_first, first=4),
}
