"""Runs work on Spark in threads: several pieces at once, small beside large; each can be stopped.

Large pieces are few at a time, and each starts few tasks, so that some of Spark's slots stay free: a short statement is
not blocked by long ones. A huge piece takes the free slots, with short tasks. Pieces without a thread wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from py4j.protocol import Py4JNetworkError
from pyspark.sql import SparkSession

from compute.protocol.command import PARTITIONS
from compute.replica.running.java_calls import CallingThread, SparkCalls
from compute.replica.running.supervision import STUCK_MAX, SparkWork, Supervision
from compute.spark.handles import HandleCollector
from compute.spark.progress import has_executors, has_jobs, records_read
from compute.spark.session import (
    SOCKET_DIR,
    Profile,
    large_tasks_max,
    profile_sessions,
    range_tasks_max,
    slots,
    wide_tasks_max,
)
from model.time.clock import Clock

T = TypeVar("T")

_SMALL_THREADS = 8
_DATAFLOW_THREADS = 6
_ROUND_THREADS = 2
_LOST_POLLS = 5
_BROKEN_POLLS = 100
_LOST_PERIOD_S = 0.1


class Stopped(Exception):
    """The work was asked to stop before it began to run on Spark."""


class _Threads:
    """A number of threads, not counting those with stuck pieces."""

    def __init__(self, name: str, at_once: int) -> None:
        self.executor = ThreadPoolExecutor(at_once + STUCK_MAX, name)
        self._free = asyncio.Semaphore(at_once)

    async def enter(self) -> Callable[[], None]:
        """Waits until one more piece may run. Returns a function that lets the next piece in."""
        await self._free.acquire()
        inside = True

        def leave() -> None:
            nonlocal inside
            if inside:
                inside = False
                self._free.release()

        return leave


class SparkWorker:
    """Runs work in the session of a profile."""

    def __init__(self, session: SparkSession, clock: Clock) -> None:
        self._context = session.sparkContext
        self.sessions = profile_sessions(session)
        large_threads = max(1, (slots(self._context.master or "") - large_tasks_max()) // large_tasks_max())
        self._threads = {
            Profile.SMALL: _Threads("small", _SMALL_THREADS),
            Profile.LARGE: _Threads("large", large_threads),
            Profile.HUGE: _Threads("huge", 1),
        }
        self._dataflows = _Threads("dataflow", _DATAFLOW_THREADS)
        self._ranges = _Threads("range", range_tasks_max())
        self._rounds = ThreadPoolExecutor(_ROUND_THREADS, "round")
        self._here = threading.local()
        self._tags = count()
        self._partitions = 0
        self._running: dict[str, SparkWork] = {}
        self._calls = SparkCalls(self._context)
        self.supervision = Supervision(self._calls, clock.now_ms)
        self._handles = HandleCollector(time.monotonic)

    async def lost(self, error: Exception) -> bool:
        """Returns whether the JVM has ended, after a moment: failures are seen before the end. A broken connection
        hardly has another reason, but the system may take long to end a process."""
        gateway: Any = self._context._gateway
        for _ in range(_BROKEN_POLLS if isinstance(error, Py4JNetworkError | OSError) else _LOST_POLLS):
            if gateway.proc.poll() is not None:
                return True
            await asyncio.sleep(_LOST_PERIOD_S)
        return False

    @property
    def partitions(self) -> int:
        """Returns on how many partitions a wide step is worked: as many as was set, or else as there is room for."""
        return self._partitions or self.wide_tasks_max

    @property
    def wide_tasks_max(self) -> int:
        """Returns how many tasks work at once on a wide step: where executors come and go, by those that are there."""
        return wide_tasks_max(self._context.master or "", lambda: self._context.defaultParallelism)

    @property
    def socket_directory(self) -> Path:
        """Returns the directory of the sockets between Spark's Java and its Python: private, with a short name."""
        return Path(str(self._context.getConf().get(SOCKET_DIR)))

    def configure(self, name: str, value: str) -> None:
        """Sets a parameter (see UpdateConfiguration): a runtime setting of Spark in every profile, or PARTITIONS."""
        if name == PARTITIONS:
            self._partitions = int(value)
            return
        for session in self.sessions.values():
            session.conf.set(name, value)

    async def run(
        self,
        piece: SparkWork,
        profile: Profile,
        work: Callable[[SparkSession, threading.Event], T],
        *,
        for_dataflow: bool = False,
        for_range: bool = False,
    ) -> T:
        """Returns the result of `work`, or raises its exception. `work` gets a session, and an event that tells it to
        stop.

        Dataflows have threads of their own: statements don't wait for hydrations, nor ticks for statements. Ranges of
        sources have their own threads, too, as many as ranges run at once.

        When the caller's task is cancelled, the work is told until it has ended (see `supervision`), and the task ends
        then; a second cancellation does not wait. PlanningTooLong as the piece says.
        """
        self.supervision.refuse_alike(piece)
        threads = self._dataflows if for_dataflow else self._ranges if for_range else self._threads[profile]
        piece.leave = await threads.enter()
        running = asyncio.get_running_loop().run_in_executor(threads.executor, self._run_here, piece, profile, work)
        running.add_done_callback(lambda _: piece.leave())
        await self.supervision.attend(piece, running)
        return running.result()

    def run_round(self, work: Callable[[], None]) -> asyncio.Future[None]:
        """Runs work that starts no jobs, and leaves Java nothing to collect: small ticks, which wait for no other
        work."""
        return asyncio.get_running_loop().run_in_executor(self._rounds, work)

    def _run_here(self, piece: SparkWork, profile: Profile, work: Callable[[SparkSession, threading.Event], T]) -> T:
        if piece.stop.is_set():
            raise Stopped
        thread = self._suited(profile)
        with piece.changing:
            piece.thread = thread
        self._running[piece.name] = piece
        try:
            return work(self.sessions[profile], piece.stop)
        finally:
            with piece.changing:
                piece.thread = None
            self._running.pop(piece.name, None)
            if piece.interrupted:
                self._calls.calm(thread)
            self._handles.worked()

    def _suited(self, profile: Profile) -> CallingThread:
        """Returns this thread, with jobs in the profile from now on.

        Each question to the JVM costs, so a thread keeps its tag, and threads mostly work for one profile.
        """
        if not hasattr(self._here, "thread"):
            tag = f"thread-{next(self._tags)}"
            self._here.thread, self._here.profile = self._calls.here(tag), None
            self._context.addJobTag(tag)
            self._context.setLocalProperty("spark.job.interruptOnCancel", "true")
        if self._here.profile is not profile:
            self._context.setLocalProperty("spark.scheduler.pool", profile.value)
            self._here.profile = profile
        thread: CallingThread = self._here.thread
        return thread

    def lacks_executors(self, name: str) -> bool:
        """Returns whether a piece has a job under way, and no executor is there; blocks for some milliseconds."""
        piece = self._running.get(name)
        thread = None if piece is None else piece.thread
        return thread is not None and not has_executors(self._context) and has_jobs(self._context, thread.tag)

    def records_read(self, name: str) -> int:
        """Returns the number of rows that the jobs of a piece have read from files; blocks for some milliseconds."""
        piece = self._running.get(name)
        thread = None if piece is None else piece.thread
        return 0 if thread is None else records_read(self._context, thread.tag)
