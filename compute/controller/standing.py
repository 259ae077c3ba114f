"""Judges whether the replica that leads stands still, by the progress of the others: no clock tells a machine that is
starved from a process that is stopped, but what starves one replica of a machine starves its siblings.

At each look every replica that has been silent since the last one is asked for a sign. The leader is passed over as
soon as its host finds it stopped, or when it has given no sign at several looks in a row, at each of which another has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import structlog

from compute.controller.connection import ReplicaConnection
from model.time.backing_off import kept_going
from model.time.clock import Clock

log = structlog.get_logger()

LOOK_S = 0.2
_SILENT_LOOKS = 10
_QUIET_LOOKS = 25
"""Looks after a change for silence: what keeps one busy may keep the next one busy, and each change costs."""


class Standing:
    """The replicas' messages as of the last look."""

    def __init__(self) -> None:
        self._heard: dict[ReplicaConnection, int] = {}
        self._leader: ReplicaConnection | None = None
        self._silent = 0
        self._quiet = 0

    def heir(self, leader: ReplicaConnection, others: Sequence[ReplicaConnection]) -> ReplicaConnection | None:
        """Looks, and returns the one of `others`, which all answer, that is to lead instead; None where none is."""
        before, self._heard = self._heard, {each: each.heard for each in (leader, *others)}
        awake = [each for each in others if self._heard[each] != before.get(each)]
        for each in (leader, *others):
            each.ask()
        self._quiet = max(0, self._quiet - 1)
        if leader is not self._leader or self._heard[leader] != before.get(leader):
            self._leader, self._silent = leader, 0
        elif awake:
            self._silent += 1
        standing = [each for each in others if not each.host.stopped]
        if not standing:
            return None
        if leader.host.stopped:
            return standing[0]
        able = [each for each in awake if each in standing]
        if self._silent < _SILENT_LOOKS or self._quiet or not able:
            return None
        self._silent, self._quiet = 0, _QUIET_LOOKS
        return able[0]


class LeaderWatch:
    """Looks at a cluster's leader again and again, and names its heir once it stands still.

    `candidates` returns the leader and the others that answer; `pass_over` has an heir lead instead.
    """

    def __init__(
        self,
        clock: Clock,
        candidates: Callable[[], tuple[ReplicaConnection | None, Sequence[ReplicaConnection]]],
        pass_over: Callable[[ReplicaConnection, ReplicaConnection], None],
    ) -> None:
        self._clock = clock
        self._candidates = candidates
        self._pass_over = pass_over
        self._standing = Standing()
        self._task: asyncio.Task[None] | None = None

    def start(self, cluster: int) -> None:
        """Begins to look."""
        self._task = asyncio.create_task(
            kept_going(self._watch, self._clock, _tell_of_end), name=f"leader of cluster {cluster}"
        )

    def end(self) -> None:
        """Looks no more."""
        if self._task is not None:
            self._task.cancel()

    async def _watch(self) -> None:
        while True:
            await self._clock.sleep(LOOK_S)
            leader, others = self._candidates()
            if leader is not None and others and (heir := self._standing.heir(leader, others)) is not None:
                self._pass_over(leader, heir)


def _tell_of_end(error: Exception | None) -> None:
    log.error("what minds the leader has ended", exc_info=error)
