"""Keeps a replica connected, and passes commands and responses.

One task connects, sends the replica the whole history, and hands its responses to the waiting peeks. After the end of a
connection the task starts over: a peek without a row seen so far is asked once more, any other peek fails. When a
replica fails to come up several times in a row, waiting peeks fail, so that nothing hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pyarrow as pa
import structlog

from compute.controller.dataflows import DataflowController
from compute.controller.link import Host, Link, ReplicaUnavailable
from compute.controller.lookups import Lookups
from compute.controller.peeks import PendingPeeks
from compute.controller.pending import IndexPeekRequest, PeekRequest
from compute.controller.replica_status import ObservedReplica, ReplicaPhase
from compute.controller.subscription import Subscriptions
from compute.protocol.codec import MalformedMessage
from compute.protocol.command import (
    Command,
    CreateInstance,
    Hello,
    InitializationComplete,
    Ping,
    UpdateConfiguration,
)
from compute.protocol.dataflow import DataflowDescription
from compute.protocol.framing import Frame
from compute.protocol.history import CommandHistory
from compute.protocol.response import (
    DataflowMeasures,
    DataflowStatus,
    Farewell,
    Frontiers,
    IngestionMeasures,
    PeekDone,
    PeekFailed,
    PeekRows,
    Pong,
    ServingRefused,
    SinkMeasures,
    Status,
    StuckCall,
    StuckCalls,
    SubscribeBatch,
)
from compute.protocol.vocabulary import VERSION
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.backing_off import BackOff, kept_going
from model.time.clock import Clock, Randomness
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from storage.subscription import SubscriptionEvent

log = structlog.get_logger()

_BACK_OFF = BackOff(0.1, 5.0)
_FAILURES_MAX = 3
_LOOK_S = 2.0
_STOPPED_LOOKS = 5
"""A replica that is stopped whenever it is looked at, so many times in a row, is ended. One that is starved is not
stopped."""


@dataclass(frozen=True, slots=True)
class ControllerOptions:
    """`nonce` must be greater, as text, than that of every earlier environment on the same consensus.

    `timeline` and `preconditions` as in the command CreateInstance.
    """

    consensus_url: str
    blob_url: str
    nonce: str
    timeline: str
    preconditions: tuple[tuple[str, int | None], ...]
    name: str = "r1"
    drain_s: float = 5.0


class _Superseded(Exception):
    """A newer environment has the replica: this environment is fenced."""


class ComputeController:
    """The environment's only access to compute. Call `start` first, `stop` last."""

    def __init__(self, options: ControllerOptions, host: Host, clock: Clock, randomness: Randomness) -> None:
        self._options = options
        self._host = host
        self._clock = clock
        self._randomness = randomness
        self._history = CommandHistory()
        self._history.push(
            CreateInstance(options.consensus_url, options.blob_url, options.timeline, options.preconditions)
        )
        self.dataflows = DataflowController(self._tell, self._send)
        self._peeks = PendingPeeks(self._history, self._tell, self._send)
        self._lookups = Lookups(self.peek_index)
        self._subscriptions = Subscriptions(self.dataflows, self._send)
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None
        self._replacing: asyncio.Task[None] | None = None
        self._phase = ReplicaPhase.CONNECTING
        self._message = ""
        self._since_ms = clock.now_ms()
        self._changed = asyncio.Event()
        self._connections = 0
        self._stuck: tuple[StuckCall, ...] = ()
        self._failures = 0
        self._heard = 0
        self._given_up = ""

    async def start(self) -> None:
        """Begins to connect, and returns at once: statements wait until the replica is ready."""
        assert self._task is None, "the controller was started already"
        self._task = asyncio.create_task(
            kept_going(self._keep_connected, self._clock, self._begin_again), name="controller"
        )

    async def stop(self, *, leave_replica: bool = False) -> None:
        """Waits up to `drain_s` for peeks under way, fails the rest, and ends our own replica.

        A replica taken over by a newer environment is no longer ours; a replica that a newer environment may be about
        to take over is left running.
        """
        waited = 0.0
        while self._peeks and waited < self._options.drain_s:
            await self._clock.sleep(0.05)
            waited += 0.05
        superseded = self._phase is ReplicaPhase.STOPPED
        self._detach(ReplicaPhase.STOPPED, "stopped")
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self._link is not None:
            self._link.close()
        self._fail_all(Sqlstate.ADMIN_SHUTDOWN, "terminating connection due to administrator command", None)
        if not superseded and not leave_replica:
            await self._host.stop()

    def peek(self, request: PeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """The rows of `request` in record batches of columns c0, c1, … (column `z` when there are none to be).

        An answer without rows yields no batch.

        Waits until a replica is ready. SqlError when the query fails, or when its replica is lost. Closing the
        generator, or cancelling the task that awaits it, stops the work.
        """
        return self._peeks.ask(request.command(self._randomness.token()), request.told)

    def peek_index(self, request: IndexPeekRequest) -> AsyncGenerator[pa.RecordBatch]:
        """Asks an index like `peek`, from its arrangement. Hold the index at as_of first (`dataflows.hold`)."""
        return self._peeks.ask(request.command(self._randomness.token()))

    async def look_up(self, request: IndexPeekRequest, desc: RelationDesc) -> list[Row] | None:
        """The rows, of columns as in `desc`, with the request's keys; None when they are too many to be had at once.

        The finishing is a projection alone. Hold the index at as_of first. SqlError as `peek_index`.
        """
        return await self._lookups.look_up(request, desc)

    def subscribe(self, description: DataflowDescription) -> AsyncGenerator[SubscriptionEvent]:
        """The updates of the description's one export, a SubscribeExport, and statements of progress in between.

        Begins the dataflow at once; ends after Progress of the empty frontier, at `until`. Closing the generator drops
        it. The caller holds the imports at as_of, and then at the latest progress - 1. SqlError when the dataflow
        has a live error, and when its replica is lost at a moment at which it can't go on.
        """
        return self._subscriptions.follow(description)

    def configure(self, parameters: dict[str, str]) -> None:
        """Sets parameters of every replica, now and later."""
        self._tell(UpdateConfiguration(tuple(sorted(parameters.items()))))

    def status(self) -> ObservedReplica:
        """Returns the present state of the replica."""
        return ObservedReplica(
            name=self._options.name,
            pid=self._host.pid,
            address=self._host.address,
            phase=self._phase,
            message=self._message,
            since_ms=self._since_ms,
            peeks=self._peeks.answered,
            pending=len(self._peeks),
            restarts=max(0, self._connections - 1),
            stuck=self._stuck,
        )

    async def wait_ready(self) -> None:
        """Returns when a replica is ready; SqlError when none will be any more."""
        while self._phase is not ReplicaPhase.READY:
            if self._phase is ReplicaPhase.STOPPED:
                raise SqlError(Sqlstate.ADMIN_SHUTDOWN, "the server is shutting down", detail=self._message)
            self._changed.clear()
            await self._changed.wait()

    def _tell(self, command: Command) -> None:
        self._history.push(command)
        self._send(command)

    def _send(self, command: Command) -> None:
        if self._link is not None:
            self._link.send(command)

    def _detach(self, phase: ReplicaPhase, message: str) -> None:
        if phase is not self._phase:
            self._since_ms = self._clock.now_ms()
        self._phase = phase
        self._message = message
        self._changed.set()
        if phase is ReplicaPhase.STOPPED:
            refusal = PeekFailed(Sqlstate.ADMIN_SHUTDOWN.value, "the server is shutting down", message)
            self._peeks.refuse(refusal)
            self._subscriptions.refuse(refusal)

    async def _keep_connected(self) -> None:
        while True:
            try:
                link = await self._host.connect()
            except ReplicaUnavailable as error:
                log.warning("no replica", reason=str(error), failures=self._failures + 1)
                await self._failed(str(error))
                continue
            watching = asyncio.create_task(self._watch(link))
            try:
                reason = await self._converse(link)
            except _Superseded as error:
                log.warning("replica taken over", reason=str(error))
                self._detach(ReplicaPhase.STOPPED, str(error))
                self._fail_all(Sqlstate.ADMIN_SHUTDOWN, "another server has taken over", str(error))
                await asyncio.get_running_loop().create_future()  # there is nothing more to do, until `stop`
            except MalformedMessage as error:
                reason = f"the replica speaks another language: {error}"
                await self._host.replace()
            except Exception as error:
                log.exception("the controller failed")
                reason = f"{type(error).__name__}: {error}"
                self._fail_all(Sqlstate.INTERNAL_ERROR, "the connection to the replica failed", reason)
            finally:
                watching.cancel()
                await self._replaced()
                self._link = None
                self._stuck = ()
                link.close()
            log.warning("replica lost", reason=reason, pid=self._host.pid)
            self._retry_or_fail(reason)
            await self._failed(reason)

    def _begin_again(self, error: Exception | None) -> None:
        """Starts the controller's task again after it has ended; waiting statements fail."""
        log.error("the controller failed", exc_info=error)
        reason = f"{type(error).__name__}: {error}"
        self._fail_all(Sqlstate.INTERNAL_ERROR, "the connection to the replica failed", reason)
        self._detach(ReplicaPhase.CONNECTING, reason)

    async def _converse(self, link: Link) -> str:
        """Serves one connection until it ends, and returns the reason."""
        link.send(Hello(self._options.nonce, VERSION, self._host.secret))
        self._history.reduce()
        for command in self._history:
            link.send(command)
        link.send(InitializationComplete())
        for hint in self.dataflows.hints():
            link.send(hint)
        self._link = link
        self._given_up = ""
        self._connections += 1
        reason = "the replica ended"
        while (frame := await link.receive()) is not None:
            self._heard += 1
            if isinstance(frame.message, Farewell):
                reason = f"the replica ended: {frame.message.reason}"
                continue
            if isinstance(frame.message, ServingRefused):
                if frame.message.superseded:
                    raise _Superseded(frame.message.reason)
                await self._host.replace()
                return frame.message.reason
            self._take(frame)
        return self._given_up or reason

    async def _watch(self, link: Link) -> None:
        """Returns once the replica has been found stopped or without an answer, and is ended; its connection ends, too.

        A replica that has said nothing since the last look is asked whether it is there.
        """
        stopped, heard, silence = 0, 0, None
        while stopped < _STOPPED_LOOKS and (silence is None or not silence.hopeless()):
            await self._clock.sleep(_LOOK_S)
            stopped = stopped + 1 if self._host.stopped else 0
            if self._heard != heard or self._link is not link:
                heard, silence = self._heard, None
            elif silence is None and (silence := self._host.silence()) is not None:
                link.send(Ping())
        self._given_up = "the replica was stopped" if stopped >= _STOPPED_LOOKS else "the replica does not answer"
        log.warning("the replica is given up", reason=self._given_up, pid=self._host.pid)
        self._replacing = asyncio.create_task(self._host.replace())
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

    def _take(self, frame: Frame) -> None:
        response = frame.message
        match response:
            case Status(ready, message):
                if ready:
                    self._failures = 0
                self._detach(ReplicaPhase.READY if ready else ReplicaPhase.STARTING, message)
            case PeekRows() | PeekDone():
                self._peeks.take(response, frame.payload)
            case Frontiers() | DataflowMeasures() | IngestionMeasures() | SinkMeasures():
                self.dataflows.take(response)
            case DataflowStatus():
                self.dataflows.take(response)
                self._peeks.give_way(self.dataflows)
                self._subscriptions.give_up()
            case StuckCalls(calls):
                self._stuck = calls
            case Pong():
                pass
            case SubscribeBatch():
                self._subscriptions.take(response, frame.payload)
            case _:
                raise MalformedMessage(f"{type(response).__name__} is not a response")

    def _retry_or_fail(self, reason: str) -> None:
        self._peeks.retry_or_fail(_lost(reason))
        self._subscriptions.restart(reason)

    async def _failed(self, reason: str) -> None:
        self._failures += 1
        self._detach(ReplicaPhase.CONNECTING, reason)
        if self._failures >= _FAILURES_MAX:
            self._fail_all(Sqlstate.CANNOT_CONNECT_NOW, "no replica is available to run the query", reason)
        await _BACK_OFF.wait(self._clock, self._failures)

    def _fail_all(self, sqlstate: Sqlstate, message: str, detail: str | None) -> None:
        failure = PeekFailed(sqlstate.value, message, detail)
        self._peeks.fail(failure)
        self._subscriptions.fail(failure)


def _lost(reason: str) -> PeekFailed:
    return PeekFailed(
        Sqlstate.SYSTEM_ERROR.value,
        "the replica that ran the query was lost",
        reason,
        "The query changed nothing; it can be run again.",
    )
