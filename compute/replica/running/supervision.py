"""Watches over work inside Java: ends unwanted work, and finds work that does not end.

Spark's planner knows of no cancelling, and a thread can't be ended inside Java. Cancelled work is therefore told again
and again: its jobs are cancelled, and without a job its thread in Java is interrupted, which ends waits and checks (see
compute/spark/interruptible.py). The client has its answer long before; nobody else notices.

    running ──cancelled──▶ told, again and again ──────────────────────────────▶ ended
       │                        └─ one call, too long by the processor ─▶ stuck ─┘
       └─ planned for too long ─▶ a statement: told, as if cancelled
                                  a dataflow: stuck, and waited for

*Stuck* work keeps its thread, but nobody waits: another thread takes its place, and the client goes on. A few calls may
be stuck at a time, and a system relation lists them. Only beyond a number is the JVM ended, and this process with it:
each stuck call wastes a processor, at everybody's cost.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import structlog

from compute.protocol.response import StuckCall
from compute.replica.running.java_calls import CallingThread, JavaCalls
from compute.replica.running.standstill import CallLimits, Standstill, Worked
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate

T = TypeVar("T")

log = structlog.get_logger()

STUCK_MAX = 4
"""How many calls may be stuck at a time."""
LIMITS = CallLimits(own_s=60.0, all_s=600.0)
"""How long one call of Java may take without a job under way, and how long a cancelled one may go on."""
_FIRST_LOOK_S = 0.1
_LOOK_S = 1.0
_FAREWELL_S = 0.1
_TOLD_AGAIN_S = 10.0


class PlanningTooLong(SqlError):
    """Spark's planner went on and on over the work, for so many seconds of the processor."""

    def __init__(self, seconds: float, hint: str = "Materialize parts of the query.") -> None:
        super().__init__(
            Sqlstate.STATEMENT_TOO_COMPLEX,
            "the plan is too complex",
            detail=f"Spark's planner was not done with it after {seconds:.0f} s of the processor's time.",
            hint=hint,
        )


@dataclass(slots=True)
class SparkWork:
    """A piece of work on Spark.

    `subject`: the purpose, for people.
    `alike`: equal for pieces that would be planned alike.
    `gave_up`: called when planning takes too long; the work is then stopped. Without `gave_up` it is waited for,
        however long, and `on_stuck` is called.
    `blamed`: called when the JVM is ended because this and other pieces are stuck: another try would be stuck again.
    `patience`: multiplies the limits.
    """

    name: str
    subject: str
    alike: Hashable | None = None
    gave_up: Callable[[PlanningTooLong], None] | None = None
    blamed: Callable[[], None] | None = None
    on_stuck: Callable[[], None] = lambda: None
    patience: float = 1.0
    stop: threading.Event = field(default_factory=threading.Event)
    thread: CallingThread | None = None
    interrupted: bool = False
    changing: threading.Lock = field(default_factory=threading.Lock)
    leave: Callable[[], None] = lambda: None


@dataclass(slots=True)
class _Stuck:
    piece: SparkWork
    since_ms: int
    worked: Worked
    told_s: float


class Supervision:
    """The watch over all pieces.

    `stuck` is called with the stuck calls after each change; `ends` with the reason before the JVM is ended. `now_ms`
    is wall time, for people. Pieces are looked at every `look_s`, and soon after a cancel every `first_look_s`.
    """

    def __init__(
        self,
        calls: JavaCalls,
        now_ms: Callable[[], int],
        *,
        limits: CallLimits = LIMITS,
        first_look_s: float = _FIRST_LOOK_S,
        look_s: float = _LOOK_S,
    ) -> None:
        self.stuck: Callable[[tuple[StuckCall, ...]], None] = _unheard
        self.ends: Callable[[str], None] = _unheard
        self._calls = calls
        self._now_ms = now_ms
        self._limits = limits
        self._first_look_s = first_look_s
        self._look_s = look_s
        self._asking = ThreadPoolExecutor(1, "cancel")
        self._stuck: dict[str, _Stuck] = {}
        self._closing = False
        self._ended = False

    def close(self) -> None:
        """Stops watching: the JVM is about to end in good order."""
        self._closing = True

    def refuse_alike(self, piece: SparkWork) -> None:
        """Raises PlanningTooLong while similar work is stuck: another try would be stuck, too."""
        for each in self._stuck.values():
            if piece.alike is not None and each.piece.alike == piece.alike:
                raise PlanningTooLong(
                    each.worked.own_s or 0.0, "It is still being planned for an earlier statement, which has ended."
                )

    async def attend(self, piece: SparkWork, future: asyncio.Future[T]) -> None:
        """Waits until the work is done; CancelledError when the caller is cancelled, and the work has ended too, or is
        stuck. PlanningTooLong as the piece says."""
        future.add_done_callback(_seen)
        try:
            worked = await self._done_or_stuck(piece, future)
            if worked is not None and piece.gave_up is not None:
                error = PlanningTooLong(worked.own_s or 0.0)
                piece.gave_up(error)
                await self._end(piece, future)
                raise error
        except asyncio.CancelledError:
            await self._end(piece, future)
            raise
        finally:
            self._not_stuck(piece)

    async def _done_or_stuck(self, piece: SparkWork, future: asyncio.Future[T]) -> Worked | None:
        """Returns None when the work is done, else the work spent on the call that is too long."""
        standstill = Standstill(self._limits.times(piece.patience))
        while not (await asyncio.wait([future], timeout=self._look_s))[0]:
            if not self._look(piece, standstill):
                self._not_stuck(piece)
            elif await self._ask(lambda: self._has_jobs(piece)):
                standstill.begin_again()
            elif piece.gave_up is not None:
                return standstill.worked
            else:
                await self._is_stuck(piece, standstill.worked)
        return None

    async def _end(self, piece: SparkWork, future: asyncio.Future[T]) -> None:
        """Waits until the work has ended. Who is cancelled meanwhile does not wait any longer."""
        piece.stop.set()
        standstill = Standstill(self._limits)
        look_s = self._first_look_s
        while not future.done():
            await self._ask(lambda: self._disturb(piece))
            await asyncio.wait([future], timeout=look_s)
            look_s = min(2 * look_s, self._look_s)
            thread = piece.thread
            if self._closing and thread is not None and self._calls.call(thread) is not None:
                return
            if self._look(piece, standstill):
                await self._is_stuck(piece, standstill.worked)
            else:
                self._not_stuck(piece)

    def _look(self, piece: SparkWork, standstill: Standstill) -> bool:
        thread = piece.thread
        if thread is None:
            return standstill.look(None, Worked(None, None))
        return standstill.look(self._calls.call(thread), self._calls.worked(thread))

    async def _ask(self, question: Callable[[], bool]) -> bool:
        """Asks Java, which may take long to answer, in a thread for such questions."""
        return await asyncio.get_running_loop().run_in_executor(self._asking, question)

    def _has_jobs(self, piece: SparkWork) -> bool:
        with piece.changing:
            return piece.thread is not None and self._calls.has_jobs(piece.thread)

    def _disturb(self, piece: SparkWork) -> bool:
        # Meanwhile the thread can't begin another piece, which would be disturbed in its place.
        with piece.changing:
            thread = piece.thread
            if thread is None:
                return False
            self._calls.cancel_jobs(thread)
            if self._calls.call(thread) is not None and not self._calls.has_jobs(thread):
                piece.interrupted = True
                self._calls.interrupt(thread)
            return True

    async def _is_stuck(self, piece: SparkWork, worked: Worked) -> None:
        known = self._stuck.get(piece.name)
        if known is None:
            self._stuck[piece.name] = _Stuck(piece, self._now_ms(), worked, worked.own_s or 0.0)
            piece.leave()
            piece.on_stuck()
            self._tell()
            thread = piece.thread
            place = "" if thread is None else await self._place(thread)
            log.warning("a call of Java does not end", work=piece.subject, processor_s=worked.own_s, at=place)
            if len(self._stuck) > STUCK_MAX:
                self._end_jvm()
            return
        known.worked = worked
        if (worked.own_s or 0.0) >= known.told_s + _TOLD_AGAIN_S:
            known.told_s = worked.own_s or 0.0
            self._tell()

    async def _place(self, thread: CallingThread) -> str:
        return await asyncio.get_running_loop().run_in_executor(self._asking, self._calls.place, thread)

    def _not_stuck(self, piece: SparkWork) -> None:
        if self._stuck.pop(piece.name, None) is not None:
            log.info("a call of Java has ended after all", work=piece.subject)
            self._tell()

    def _tell(self) -> None:
        self.stuck(
            tuple(
                StuckCall(each.piece.subject, each.since_ms, round(1000 * (each.worked.own_s or 0.0)))
                for each in self._stuck.values()
            )
        )

    def _end_jvm(self) -> None:
        if self._ended:
            return
        self._ended = True
        subjects = ", ".join(each.piece.subject for each in self._stuck.values())
        reason = f"{len(self._stuck)} calls of Java do not end, and {STUCK_MAX} may be so: {subjects}"
        log.error("the JVM is ended", reason=reason)
        for each in self._stuck.values():
            if each.piece.blamed is not None:
                each.piece.blamed()
        self.ends(reason)
        # This process ends with it: who waits for anything is told first.
        asyncio.get_running_loop().call_later(_FAREWELL_S, self._calls.end)


def _unheard(_told: object) -> None:
    return


def _seen(future: asyncio.Future[Any]) -> None:
    """Ignores the failure of stopped work."""
    if not future.cancelled():
        future.exception()
