"""The exports of an environment's dataflows, and the clusters that run the dataflows, as the environment knows them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import IntEnum

from compute.controller.link import Silence
from compute.controller.replication import ExportFrontiers, ExportOfReplicas
from compute.protocol.command import (
    Command,
)
from compute.protocol.response import (
    DataflowMeasures,
    DataflowStatus,
    IngestionMeasures,
    SinkMeasures,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.timestamp import Timestamp
from storage.holds import ReadHolds, StorageReadHold


class Patience(IntEnum):
    """The troubles that a waiting reader tolerates."""

    NONE = 0
    HYDRATION = 1
    FAILURES = 2
    """As long as they may pass."""


@dataclass(frozen=True, slots=True)
class WaitingReader:
    """Someone waits until an export is complete at `time`; the cluster `instead` may compute it for them."""

    time: Timestamp
    patience: Patience
    instead: int | None
    done: asyncio.Future[None]


class ExportHolds(ReadHolds):
    """Read holds that report each release."""

    def __init__(self, released: Callable[[], None]) -> None:
        super().__init__()
        self._released = released

    def forget(self, hold: StorageReadHold) -> None:
        super().forget(hold)
        self._released()


@dataclass(slots=True)
class ServedCluster:
    """A cluster that runs dataflows.

    `replicas`: their names.
    `tell`: hands a command to the replicas, now and whenever one starts again, and returns the names of those that were
        sent it; `send` only now.
    `ready`: tells whether one of them answers.
    `standstill`: tells, from the moment at which it is called, how long the leader is waited for with what takes it a
        second or two.
    `leader`: the name of the replica that leads, if any does.
    `ending`: how many exports of an id were dropped of which a replica has not said the last word yet.
    """

    replicas: list[str]
    tell: Callable[[Command], Collection[str]]
    send: Callable[[Command], Collection[str]]
    ready: Callable[[], bool]
    standstill: Callable[[], Silence]
    leader: str | None = None
    ending: Counter[tuple[str, GlobalId]] = field(default_factory=Counter)

    def forget_ended(self, replica: str) -> None:
        """Expects no last words of a replica any longer."""
        for ended in [each for each in self.ending if each[0] == replica]:
            del self.ending[ended]


@dataclass(slots=True)
class TrackedExport:
    """An export of a dataflow of `cluster`.

    `said`: what its replicas have said of it.
    `everywhere`: every replica runs it.
    `inputs`: the collections that its dataflow reads.
    `since_wanted`: the environment no longer needs times before.
    `since_told`: the last since sent to the replicas.
    """

    cluster: ServedCluster
    said: ExportOfReplicas
    everywhere: bool
    status: DataflowStatus
    holds: ExportHolds
    inputs: tuple[GlobalId, ...]
    since_wanted: Antichain
    since_told: Antichain
    measures: DataflowMeasures | None = None
    ingested: IngestionMeasures | None = None
    delivered: SinkMeasures | None = None
    waiting: list[WaitingReader] = field(default_factory=list)

    @property
    def frontiers(self) -> ExportFrontiers:
        return self.said.frontiers

    def wake_waiting(self) -> None:
        """Wakes the readers whose time is complete."""
        for each in self.waiting:
            if not self.frontiers.upper.less_equal(each.time) and not each.done.done():
                each.done.set_result(None)

    def fail_waiting(self, error: SqlError) -> None:
        """Fails all who wait."""
        for each in self.waiting:
            if not each.done.done():
                each.done.set_exception(error)


class TrackedExports(dict[GlobalId, TrackedExport]):
    """The exports that exist or are still held, by their ids."""

    def found(self, id_: GlobalId) -> TrackedExport | None:
        """Returns an export; None for an unknown one."""
        return self.get(id_)

    def tracked(self, id_: GlobalId) -> TrackedExport:
        """Returns an export; raises SqlError (undefined_object) for an unknown one."""
        tracked = self.found(id_)
        if tracked is None:
            raise SqlError(Sqlstate.UNDEFINED_OBJECT, f"{id_} is not maintained")
        return tracked
