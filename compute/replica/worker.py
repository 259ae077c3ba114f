"""Work on Spark in threads: several pieces at once, small beside large, each can be stopped.

Large pieces are few at a time, and each starts few tasks, so that they never take all of Spark's slots: a short
statement is not blocked by long ones. A huge piece takes what slots there are, with tasks that are short. What does not
get a thread waits its turn.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from pyspark.sql import SparkSession

from compute.spark.handles import HandleCollector
from compute.spark.progress import has_jobs, records_read
from compute.spark.session import SOCKET_DIR, Profile, large_tasks_max, profile_sessions, range_tasks_max, slots
from model.errors import SqlError
from model.sqlstate import Sqlstate

T = TypeVar("T")

_SMALL_THREADS = 8
_DATAFLOW_THREADS = 6
_ROUND_THREADS = 2
_CANCEL_PERIOD_S = 0.1
_LOST_POLLS = 5
_PATIENCE_S = 10.0
"""How long work may stay inside Java after it was cancelled."""
_PLANNING_S = 60.0
"""How long one call of Java may take without a job under way."""
_LOOK_S = 1.0
_FAREWELL_S = 0.1


class Stopped(Exception):
    """The work was asked to stop before it began to run on Spark."""


class PlanningTooLong(SqlError):
    """Spark's planner went on and on over the work."""

    def __init__(self) -> None:
        super().__init__(
            Sqlstate.STATEMENT_TOO_COMPLEX,
            "the plan is too complex",
            detail=f"Spark's planner was not done with it after {_PLANNING_S:.0f} s.",
            hint="Materialize parts of the query.",
        )


class SparkWorker:
    """Runs work in the session of a profile."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext
        self.sessions = profile_sessions(session)
        large_threads = max(1, (slots(self._context.master or "") - large_tasks_max()) // large_tasks_max())
        self._threads = {
            Profile.SMALL: ThreadPoolExecutor(_SMALL_THREADS, "small"),
            Profile.LARGE: ThreadPoolExecutor(large_threads, "large"),
            Profile.HUGE: ThreadPoolExecutor(1, "huge"),
        }
        self._dataflows = ThreadPoolExecutor(_DATAFLOW_THREADS, "dataflow")
        self._rounds = ThreadPoolExecutor(_ROUND_THREADS, "round")
        self._ranges = ThreadPoolExecutor(range_tasks_max(), "range")
        self._here = threading.local()
        self._tags = count()
        self._running: dict[str, str] = {}
        self._workers: dict[str, int] = {}
        self._changing = threading.Lock()
        self._canceller = ThreadPoolExecutor(1, "cancel")
        self._handles = HandleCollector(time.monotonic)

    async def lost(self) -> bool:
        """Whether the JVM has ended; told a moment after a failure, since failures are seen before the end is."""
        gateway: Any = self._context._gateway
        for _ in range(_LOST_POLLS):
            if gateway.proc.poll() is not None:
                return True
            await asyncio.sleep(_CANCEL_PERIOD_S)
        return False

    @property
    def socket_directory(self) -> Path:
        """Where Spark's Java and its Python meet: this user's alone, with a short name."""
        return Path(str(self._context.getConf().get(SOCKET_DIR)))

    def configure(self, name: str, value: str) -> None:
        """Sets a runtime setting of Spark in every profile."""
        for session in self.sessions.values():
            session.conf.set(name, value)

    async def run(
        self,
        name: str,
        profile: Profile,
        work: Callable[[SparkSession, threading.Event], T],
        *,
        for_dataflow: bool = False,
        for_range: bool = False,
        gave_up: Callable[[], None] | None = None,
    ) -> T:
        """What `work` returns or raises. It is given its session, and an event that tells it to stop.

        Dataflows have threads of their own: statements don't wait for hydrations, nor ticks for statements. So have
        ranges of sources, which are no more at once than have threads.

        When the caller's task is cancelled, the Spark jobs that `work` has started are cancelled, again and again
        until it has ended: a job may start just after its predecessor was cancelled. `name` tells this piece of work
        from those that run beside it. A thread inside Java can't be ended but with Java: when it stays there (in the
        planner, which knows of no cancelling), the JVM is ended, and this process with it; another one begins.

        PlanningTooLong when the planner takes longer than it may; then the work is ended in the same way. Before that
        `gave_up` is called, to take note of it: what would be tried again would end the next JVM too.
        """
        stop = threading.Event()
        threads = self._dataflows if for_dataflow else self._ranges if for_range else self._threads[profile]
        future = asyncio.get_running_loop().run_in_executor(threads, self._run_here, name, profile, work, stop)
        try:
            await self._done_or_planning(name, future)
            if future.done():
                return future.result()
            if gave_up is not None:
                gave_up()
        except asyncio.CancelledError:
            stop.set()
            await self._end(name, future)
            raise
        stop.set()
        await self._end(name, future)
        raise PlanningTooLong

    async def _done_or_planning(self, name: str, future: asyncio.Future[T]) -> None:
        """Returns when the work is done, or has been inside one call of Java for too long without a job."""
        loop = asyncio.get_running_loop()
        last, since_s = None, loop.time()
        while not (await asyncio.wait([future], timeout=_LOOK_S))[0]:
            call = self._java_call(name)
            if call is None or call is not last:
                last, since_s = call, loop.time()
            elif loop.time() - since_s > _PLANNING_S:
                if not await loop.run_in_executor(self._canceller, self._has_jobs, name):
                    return
                since_s = loop.time()

    def _has_jobs(self, name: str) -> bool:
        tag = self._running.get(name)
        return tag is not None and has_jobs(self._context, tag)

    def run_round(self, work: Callable[[], None]) -> asyncio.Future[None]:
        """Work that starts no jobs, and leaves Java nothing to collect: small ticks, which wait for no other work."""
        return asyncio.get_running_loop().run_in_executor(self._rounds, work)

    def _run_here(
        self, name: str, profile: Profile, work: Callable[[SparkSession, threading.Event], T], stop: threading.Event
    ) -> T:
        if stop.is_set():
            raise Stopped
        tag = self._suited(profile)
        with self._changing:
            self._running[name] = tag
            self._workers[name] = threading.get_ident()
        try:
            return work(self.sessions[profile], stop)
        finally:
            with self._changing:
                del self._running[name], self._workers[name]
            self._handles.worked()

    def _suited(self, profile: Profile) -> str:
        """The tag of this thread's jobs, which run with the profile from now on.

        Each question to the JVM costs, so a thread keeps its tag, and threads mostly work for one profile.
        """
        if not hasattr(self._here, "tag"):
            self._here.tag, self._here.profile = f"thread-{next(self._tags)}", None
            self._context.addJobTag(self._here.tag)
            self._context.setLocalProperty("spark.job.interruptOnCancel", "true")
        if self._here.profile is not profile:
            self._context.setLocalProperty("spark.scheduler.pool", profile.value)
            self._here.profile = profile
        return str(self._here.tag)

    def records_read(self, name: str) -> int:
        """How many rows from files the jobs of a piece of work read right now; blocks for some milliseconds."""
        tag = self._running.get(name)
        return 0 if tag is None else records_read(self._context, tag)

    async def _end(self, name: str, future: asyncio.Future[T]) -> None:
        loop = asyncio.get_running_loop()
        outside_s = loop.time()
        while not future.done():
            await loop.run_in_executor(self._canceller, self._cancel_jobs, name)
            await asyncio.wait([future], timeout=_CANCEL_PERIOD_S)
            if self._java_call(name) is None:
                outside_s = loop.time()
            elif loop.time() - outside_s > _PATIENCE_S:
                gateway: Any = self._context._gateway
                # This process ends with it: who waits for the work is told first.
                loop.call_later(_FAREWELL_S, gateway.proc.kill)
                return
        if not future.cancelled():
            future.exception()  # it was stopped, so whatever it failed with is of no more interest

    def _java_call(self, name: str) -> FrameType | None:
        """The call in which the work's thread waits for Java's answer; another object for another call."""
        frame = sys._current_frames().get(self._workers.get(name, 0))
        call = None
        while frame is not None:
            if str(frame.f_globals.get("__name__")).startswith("py4j."):
                call = frame
            frame = frame.f_back
        return call

    def _cancel_jobs(self, name: str) -> None:
        # Meanwhile the thread can't begin another piece, whose jobs would have the same tag.
        with self._changing:
            tag = self._running.get(name)
            if tag is not None:
                self._context.cancelJobsWithTag(tag)
