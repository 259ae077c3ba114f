"""Waits until exports are complete at a time, or tells why they will not be soon."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

from compute.controller.exports import Patience, ServedCluster, TrackedExports, WaitingReader
from compute.processes import LOOKS_APART_S
from compute.protocol.command import (
    Await,
    Command,
)
from compute.protocol.response import (
    DataflowPhase,
)
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp

_FAILURES_MAX = 3
"""After as many failures in a row a dataflow is not expected to go on soon."""


class NotMaintained(SqlError):
    """The export `id` will not reach the awaited time soon: its dataflow, or a dataflow below, fails or hydrates."""

    def __init__(self, id_: GlobalId, reason: str) -> None:
        super().__init__(Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE, f"{id_} is not maintained", detail=reason)
        self.id = id_
        self.reason = reason


class StandsStill(NotMaintained):
    """The dataflow of the export `id` could have come to the awaited time, and has not."""

    def __init__(self, id_: GlobalId) -> None:
        super().__init__(id_, f"the dataflow of {id_} stands still")


class ExportProgress:
    """The progress of exports, for those who wait for it."""

    def __init__(self, exports: TrackedExports, clusters: Mapping[int, ServedCluster]) -> None:
        self._exports = exports
        self._clusters = clusters

    async def wait_for_upper(
        self, id_: GlobalId, time: Timestamp, patience: Patience = Patience.FAILURES, instead: int | None = None
    ) -> None:
        """Returns once `id` is complete at `time`, and asks the replica to hurry. Raises SqlError when the export is
        dropped.

        NotMaintained when completion can't be expected: see `hindrance`.
        """
        tracked = self._exports.tracked(id_)
        if not tracked.frontiers.upper.less_equal(time):
            return
        hindered = self.hindrance(id_, time, patience, instead)
        if hindered is not None:
            raise hindered
        entry = WaitingReader(time, patience, instead, asyncio.get_running_loop().create_future())
        tracked.waiting.append(entry)
        self._send_hints(id_, time)
        try:
            await entry.done
        finally:
            if entry in tracked.waiting:
                tracked.waiting.remove(entry)

    async def wait_while_working(self, id_: GlobalId, time: Timestamp, patience: Patience) -> None:
        """Waits like `wait_for_upper` for work of a second or two. StandsStill once the leading replica could have
        worked for a minute."""
        cluster = self._exports.tracked(id_).cluster
        led = {cluster.leader: cluster.standstill()}
        waiting = asyncio.ensure_future(self.wait_for_upper(id_, time, patience))
        try:
            while not (await asyncio.wait([waiting], timeout=LOOKS_APART_S))[0]:
                if cluster.leader not in led:
                    led[cluster.leader] = cluster.standstill()
                if led[cluster.leader].hopeless():
                    raise StandsStill(id_)
            await waiting
        finally:
            waiting.cancel()

    def hindrance(
        self,
        id_: GlobalId,
        time: Timestamp | None = None,
        patience: Patience = Patience.NONE,
        instead: int | None = None,
    ) -> NotMaintained | None:
        """Returns the reason why `id` is not soon complete at `time` (None: at times to come): a dataflow below fails
        or hydrates, or nobody runs it; or its cluster has lost its replicas, while the cluster `instead` answers.

        None when every reason is tolerated by `patience`.
        """
        other = None if instead is None else self._clusters.get(instead)
        for each in self._behind(id_, time):
            cluster = self._exports.tracked(each).cluster
            if not cluster.replicas:
                return NotMaintained(id_, f"the cluster of {each} has no replicas")
            if other is not None and other is not cluster and other.ready() and not cluster.ready():
                return NotMaintained(id_, f"no replica of the cluster of {each} is ready")
            status = self._exports.tracked(each).status
            if status.phase is DataflowPhase.STALLED:
                return NotMaintained(id_, f"the dataflow of {each} is stalled: {status.message}")
            if status.phase is DataflowPhase.FAILING:
                if patience < Patience.FAILURES or status.retries >= _FAILURES_MAX:
                    return NotMaintained(id_, f"the dataflow of {each} fails: {status.message}")
            elif status.phase is DataflowPhase.HYDRATING and patience < Patience.HYDRATION:
                return NotMaintained(id_, f"the dataflow of {each} hydrates")
        return None

    def hurry(self, id_: GlobalId, time: Timestamp) -> None:
        """Tells the replica that a reader there waits until `id` is complete at `time`, so that its inputs move at
        once."""
        if self._exports.tracked(id_).frontiers.upper.less_equal(time):
            self._send_hints(id_, time)

    def _send_hints(self, id_: GlobalId, time: Timestamp) -> None:
        """Sends hints that a reader waits for the export, and for all exports below, to the clusters that run them."""
        for each in self._behind(id_, time):
            self._exports.tracked(each).cluster.send(Await(each, time))

    def _behind(self, id_: GlobalId, time: Timestamp | None) -> Iterator[GlobalId]:
        """Yields the export and all exports below that are not complete at `time`."""
        behind, seen = [id_], {id_}
        while behind:
            each = behind.pop()
            tracked = self._exports.found(each)
            if tracked is not None and (time is None or tracked.frontiers.upper.less_equal(time)):
                yield each
                behind += [input_ for input_ in tracked.inputs if input_ not in seen]
                seen.update(tracked.inputs)

    def give_up_waiting(self) -> None:
        """Fails the waiting readers whose time can't be expected, as they can't once a replica is lost."""
        for id_, tracked in self._exports.items():
            for each in tracked.waiting:
                hindered = None if each.done.done() else self.hindrance(id_, each.time, each.patience, each.instead)
                if hindered is not None:
                    each.done.set_exception(hindered)

    def hints(self, cluster: ServedCluster) -> Iterator[Command]:
        """Yields hints for a cluster's exports that readers wait for, or that stand below such exports."""
        for id_, tracked in self._exports.items():
            for each in tracked.waiting:
                for behind in self._behind(id_, each.time):
                    if self._exports.tracked(behind).cluster is cluster:
                        yield Await(behind, each.time)
