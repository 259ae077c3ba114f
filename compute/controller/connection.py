"""The connection to one replica, kept up for as long as its cluster wants it.

One task connects, has the cluster say everything from the beginning, and hands the replica's responses to the cluster.
After the end of a connection the task starts over. A replica that stands still, or does not answer, is ended first.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

import structlog

from compute.controller.link import Host, Link, ReplicaUnavailable
from compute.controller.replica_status import ObservedDataflow, ObservedPhase, ObservedReconciliation, ReplicaPhase
from compute.protocol.codec import MalformedMessage
from compute.protocol.command import Command, Hello, Ping
from compute.protocol.framing import Frame
from compute.protocol.response import (
    DataflowMeasures,
    DataflowStatus,
    Farewell,
    Pong,
    Reconciled,
    ServingRefused,
    Status,
    StuckCall,
    StuckCalls,
)
from compute.protocol.vocabulary import VERSION
from model.ids.global_id import GlobalId
from model.time.backing_off import BackOff, kept_going
from model.time.clock import Clock

log = structlog.get_logger()

_BACK_OFF = BackOff(0.1, 5.0)
_FAILURES_MAX = 3
_RECONCILIATIONS_MAX = 100
_PHASES_MAX = 100
_LOOK_S = 2.0
_STOPPED_LOOKS = 5
"""A replica that is stopped whenever it is looked at, so many times in a row, is ended. One that is starved is not
stopped."""


class _Superseded(Exception):
    """A newer environment has the replica: this environment is fenced."""


class ClusterOfReplicas(Protocol):
    """Hears of its replicas."""

    def connected(self, replica: ReplicaConnection) -> None:
        """Tells that the replica is to be greeted."""
        ...

    def take(self, replica: ReplicaConnection, frame: Frame) -> None:
        """Takes a response that is not about the replica itself. Raises MalformedMessage for one that is none."""
        ...

    def changed(self) -> None:
        """Tells that the phase of a replica is another one."""
        ...

    def lost(self, replica: ReplicaConnection, reason: str) -> None:
        """Tells that the connection has ended."""
        ...

    def failed(self, replica: ReplicaConnection, reason: str) -> None:
        """Tells that the replica has failed to come up, or that its connection has ended."""
        ...

    def broke(self, replica: ReplicaConnection, reason: str) -> None:
        """Tells that what took the replica's responses has failed: what waits can't be trusted to be answered."""
        ...

    def replaced(self, reason: str) -> None:
        """Tells that another environment has a replica."""
        ...


class ReplicaConnection:
    """Keeps one replica connected. Call `start` first, `stop` last."""

    def __init__(
        self, name: str, nonce: str, client: str, host: Host, clock: Clock, cluster: ClusterOfReplicas
    ) -> None:
        self.name = name
        self.host = host
        self.phase = ReplicaPhase.CONNECTING
        self.message = ""
        self.since_ms = clock.now_ms()
        self.stuck: tuple[StuckCall, ...] = ()
        self.told: dict[GlobalId, ObservedDataflow] = {}
        self.phases: deque[ObservedPhase] = deque(maxlen=_PHASES_MAX)
        self.commands: Counter[str] = Counter()
        self.reconciliations: deque[ObservedReconciliation] = deque(maxlen=_RECONCILIATIONS_MAX)
        self._nonce = nonce
        self._client = client
        self._clock = clock
        self._cluster = cluster
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self._replacing: asyncio.Task[None] | None = None
        self._connections = 0
        self._failures = 0
        self.heard = 0
        self._asked = -1
        self._greeted = 0
        self._reconciled = 0
        self._given_up = ""
        self.passed_over = False

    @property
    def connected(self) -> bool:
        return self._link is not None

    @property
    def restarts(self) -> int:
        return max(0, self._connections - 1)

    @property
    def outdated(self) -> bool:
        """Returns whether what the replica says of dataflows was said before it heard the last greeting: it may have
        led then, and been passed over."""
        return self._greeted > max(1, self._reconciled)

    @property
    def answers(self) -> bool:
        """Returns whether an answer of the replica is to be expected: it is ready, and not known to stand still."""
        stands_still = self.passed_over and self.outdated
        return self.connected and self.phase is ReplicaPhase.READY and not stands_still

    @property
    def hopeless(self) -> bool:
        """Returns whether the replica has failed to come up so often that nobody is to wait for it."""
        return self._failures >= _FAILURES_MAX

    def start(self) -> None:
        """Begins to connect, and returns at once."""
        assert self._task is None, "the connection was started already"
        self._task = asyncio.create_task(
            kept_going(self._keep_connected, self._clock, self._begin_again), name=f"connection to {self.name}"
        )

    async def stop(self) -> None:
        """Ends the connection, not the replica."""
        self.move(ReplicaPhase.STOPPED, "stopped")
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._link is not None:
            self._link.close()

    def send(self, command: Command, encoded: bytes | None = None) -> None:
        """Hands the command, with its bytes if they are known, on where there is a connection."""
        if self._link is not None:
            self.commands[type(command).__name__] += 1
            self._link.send(command, encoded)

    def greet(self, commands: Iterable[tuple[Command, bytes | None]]) -> None:
        """Says everything from the beginning, each command with its bytes if they are known; what the replica runs of
        it, it keeps."""
        self._greeted += 1
        self.send(Hello(self._nonce, VERSION, self.host.secret, self._client))
        for command, encoded in commands:
            self.send(command, encoded)

    def note(self, told: DataflowStatus | DataflowMeasures) -> None:
        """Notes what the replica has told of a dataflow."""
        before = self.told.get(told.id, ObservedDataflow(told.id))
        new = replace(before, status=told) if isinstance(told, DataflowStatus) else replace(before, measures=told)
        self.told[told.id] = new

    def ask(self) -> None:
        """Asks for a sign, unless the last question is still without an answer."""
        if self._asked != self.heard:
            self._asked = self.heard
            self.send(Ping())

    def move(self, phase: ReplicaPhase, message: str) -> None:
        """Notes the replica's phase."""
        if phase is not self.phase:
            self.since_ms = self._clock.now_ms()
            self.phases.append(ObservedPhase(phase, message, self.since_ms))
        self.phase = phase
        self.message = message
        self._cluster.changed()

    async def _keep_connected(self) -> None:
        while True:
            try:
                link = await self.host.connect()
            except ReplicaUnavailable as error:
                log.warning("no replica", replica=self.name, reason=str(error), failures=self._failures + 1)
                await self._failed(str(error))
                continue
            watching = asyncio.create_task(self._watch(link))
            try:
                reason = await self._converse(link)
            except _Superseded as error:
                log.warning("replica taken over", replica=self.name, reason=str(error))
                self.move(ReplicaPhase.STOPPED, str(error))
                self._cluster.replaced(str(error))
                await asyncio.get_running_loop().create_future()  # there is nothing more to do, until `stop`
            except MalformedMessage as error:
                reason = f"the replica speaks another language: {error}"
                await self.host.replace()
            except Exception as error:
                log.exception("the controller failed")
                reason = f"{type(error).__name__}: {error}"
                self._cluster.broke(self, reason)
            finally:
                watching.cancel()
                await self._replaced()
                self._link = None
                self.stuck = ()
                link.close()
            log.warning("replica lost", replica=self.name, reason=reason, pid=self.host.pid)
            self._cluster.lost(self, reason)
            await self._failed(reason)

    def _begin_again(self, error: Exception | None) -> None:
        """Starts the connection's task again after it has ended; waiting statements fail."""
        log.error("the controller failed", exc_info=error)
        reason = f"{type(error).__name__}: {error}"
        self._cluster.broke(self, reason)
        self.move(ReplicaPhase.CONNECTING, reason)
        self._cluster.lost(self, reason)

    async def _converse(self, link: Link) -> str:
        """Serves one connection until it ends, and returns the reason."""
        self._link = link
        self._greeted, self._reconciled, self._asked = 0, 0, -1
        self.told.clear()
        self._cluster.connected(self)
        self._given_up = ""
        self._connections += 1
        reason = "the replica ended"
        while (frame := await link.receive()) is not None:
            self.heard += 1
            match frame.message:
                case Farewell(told):
                    reason = f"the replica ended: {told}"
                case ServingRefused(told, superseded):
                    if superseded:
                        raise _Superseded(told)
                    await self.host.replace()
                    return told
                case Status(ready, message):
                    if ready:
                        self._failures = 0
                    self.move(ReplicaPhase.READY if ready else ReplicaPhase.STARTING, message)
                case Reconciled() as outcome:
                    self._reconciled += 1
                    self._note(outcome)
                case StuckCalls(calls):
                    self.stuck = calls
                case Pong():
                    pass
                case _:
                    self._cluster.take(self, frame)
        return self._given_up or reason

    def _note(self, outcome: Reconciled) -> None:
        self.reconciliations.append(ObservedReconciliation(self._clock.now_ms(), outcome))
        log.info(
            "the replica reconciled its dataflows",
            replica=self.name,
            kept=outcome.kept,
            replaced={", ".join(map(str, each.exports)): each.reason for each in outcome.replaced},
        )

    async def _watch(self, link: Link) -> None:
        """Returns once the replica has been found stopped or without an answer, and is ended; its connection ends, too.

        A replica that has said nothing since the last look is asked whether it is there.
        """
        stopped, heard, silence = 0, 0, None
        while stopped < _STOPPED_LOOKS and (silence is None or not silence.hopeless()):
            await self._clock.sleep(_LOOK_S)
            stopped = stopped + 1 if self.host.stopped else 0
            if self.heard != heard or self._link is not link:
                heard, silence = self.heard, None
            elif silence is None and (silence := self.host.silence()) is not None:
                link.send(Ping())
        self._given_up = "the replica was stopped" if stopped >= _STOPPED_LOOKS else "the replica does not answer"
        log.warning("the replica is given up", replica=self.name, reason=self._given_up, pid=self.host.pid)
        self._replacing = asyncio.create_task(self.host.replace())
        try:
            await asyncio.shield(self._replacing)
        except ReplicaUnavailable as error:
            log.warning("the record of the replica that was given up stays", reason=str(error))
        finally:
            link.abort()

    async def _replaced(self) -> None:
        replacing, self._replacing = self._replacing, None
        if replacing is not None:
            with contextlib.suppress(ReplicaUnavailable):
                await replacing

    async def _failed(self, reason: str) -> None:
        self._failures += 1
        self.move(ReplicaPhase.CONNECTING, reason)
        self._cluster.failed(self, reason)
        await _BACK_OFF.wait(self._clock, self._failures)
