"""Bugs put into clusters on purpose, to prove that the simulation sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from unittest.mock import patch

import pyarrow as pa

from compute.controller.replication import ExportOfReplicas
from compute.controller.subscription import SentBatch
from compute.protocol.command import AllowWrites, Command
from compute.protocol.dataflow import Installed
from compute.protocol.framing import batches_from_payload
from compute.protocol.history import _Sum, reduce_commands
from compute.protocol.response import Frontiers
from compute.replica.dataflows.exports.index_sink import IndexSink
from compute.replica.running.places import Fencing
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp

Plant = Callable[[], AbstractContextManager[object]]


@contextmanager
def the_least_frontier_is_told() -> Iterator[None]:
    """An export is complete up to where the slowest replica has come."""

    def take(self: ExportOfReplicas, replica: str, said: Frontiers) -> bool:
        self._frontiers[replica] = self._of(replica).joined(said)
        uppers = [self._of(each).upper for each in self.replicas]
        return self._told(replace(self.frontiers, upper=reduce(Antichain.meet, uppers)))

    with patch.object(ExportOfReplicas, "take", take):
        yield


@contextmanager
def a_replica_writes_for_a_fenced_environment() -> Iterator[None]:
    """The fence is not asked for."""
    with patch.object(Fencing, "preconditions", property(lambda _self: {}, lambda _self, _value: None), create=True):
        yield


@contextmanager
def who_comes_later_may_not_write() -> Iterator[None]:
    """A reduced history lacks a command."""

    def reduced(commands: Iterable[Command]) -> list[Command]:
        return [each for each in reduce_commands(commands) if not isinstance(each, AllowWrites)]

    with patch("compute.protocol.history.reduce_commands", reduced):
        yield


@contextmanager
def what_has_left_can_not_come_again() -> Iterator[None]:
    """In a reduced history the end of a view that has left its cluster is also that of the view that comes back."""

    def replaced(self: _Sum, descriptions: Iterable[Installed]) -> None:
        self.installed.extend(descriptions)

    with patch.object(_Sum, "_replace", replaced):
        yield


@contextmanager
def a_batch_is_passed_twice() -> Iterator[None]:
    """What comes of complete times is handed on."""

    def all_of(self: SentBatch) -> pa.Table:
        return pa.Table.from_batches(batches_from_payload(self.payload)) if self.payload else pa.table({})

    with patch.object(SentBatch, "rows", all_of):
        yield


@contextmanager
def the_answer_of_one_behind_is_used() -> Iterator[None]:
    """An index answers with what it has."""

    async def at_once(_self: IndexSink, _as_of: Timestamp) -> None:
        return

    with patch.object(IndexSink, "wait", at_once):
        yield


@contextmanager
def who_follows_goes_on_from_anothers_state() -> Iterator[None]:
    """Subscribes of equal queries have one state, which is kept."""
    with ExitStack() as stack:
        for module in ("dataflows.shelf", "dataflows.opening", "tasks.dataflows"):
            stack.enter_context(patch(f"compute.replica.{module}.is_followed", lambda _description: False))
        yield


@dataclass(frozen=True, slots=True)
class PlantedInClusters:
    """`first`: a seed from which on one of 300 shows it."""

    plant: Plant
    first: int = 0


BUGS = {
    "the least frontier told": PlantedInClusters(the_least_frontier_is_told, 3),
    "a fenced write": PlantedInClusters(a_replica_writes_for_a_fenced_environment),
    "a command lost": PlantedInClusters(who_comes_later_may_not_write),
    "a drop too many": PlantedInClusters(what_has_left_can_not_come_again, 17),
    "a batch twice": PlantedInClusters(a_batch_is_passed_twice),
    "an answer too early": PlantedInClusters(the_answer_of_one_behind_is_used),
    "anothers state": PlantedInClusters(who_follows_goes_on_from_anothers_state),
}
