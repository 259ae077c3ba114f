"""The shell around the work of a dataflow, an ingestion or a sink: begins the work, and begins it anew after failures.

    start ─▶ live ──FencedOut────▶ waits for a command of the newest environment ─▶ live …
              │  ──ShardGone────▶ the work ends what was dropped: all of it, or it goes on with the rest
              │  ──WriteRefused─▶ waits, longer each time ─▶ live …
              └──any failure────▶ tells its status, waits, longer each time ─▶ live …

A wait grows with the failures since the work was last `well`. Only `stop` and `kill` end a shell.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from typing import Protocol

import structlog

from compute.protocol.response import DataflowPhase
from compute.replica.running.places import Places
from compute.replica.running.reporter import Reporter
from compute.replica.running.shard_writer import FencedOut, ShardGone, WriteRefused
from compute.replica.running.watch import Watch
from connectors.unreachable import EndpointBusy
from model.errors.sql_error import SqlError
from model.time.backing_off import BackOff, kept_going

log = structlog.get_logger()

BACK_OFF = BackOff(0.1, 10.0)


class ShelledWork(Protocol):
    """Work in a shell. A dataflow's `number` changes when the member of that number leaves."""

    @property
    def number(self) -> int: ...

    @abstractmethod
    async def live(self) -> None:
        """Works for ever, or until something fails. After a return the shell calls `live` again at once."""

    @abstractmethod
    async def interrupted(self, error: Exception) -> None:
        """Releases the resources of an attempt ended by `error`, before any wait."""

    @abstractmethod
    async def dropped(self) -> str | None:
        """Ends the work on dropped shards. Returns the last status when no other work is left, else None."""


class Shell:
    """The shell of one runner.

    `kind`: the name of such work in the log
    `after`: tasks to wait for before the work begins
    `with_details`: whether a status tells an error's detail behind its message
    """

    def __init__(
        self,
        kind: str,
        work: ShelledWork,
        places: Places,
        watch: Watch,
        reporter: Reporter,
        *,
        after: tuple[asyncio.Task[None], ...] = (),
        with_details: bool = False,
    ) -> None:
        self._kind = kind
        self._work = work
        self._places = places
        self._watch = watch
        self._reporter = reporter
        self._after = after
        self._with_details = with_details
        self._writable = False
        self.failures = 0
        """How often the work has failed since it was well."""
        self.wake = asyncio.Event()
        """Set when the work has a reason to look around."""
        self._task: asyncio.Task[None] | None = None

    def woken(self) -> None:
        """Sets `wake`."""
        self.wake.set()

    def start(self) -> None:
        """Begins the work. The caller has registered it with the watch."""
        work = kept_going(self._run, self._places.clock, self._log_defect)
        self._task = asyncio.create_task(work, name=f"{self._kind} {self._work.number}")

    async def stop(self) -> None:
        """Ends the work, and waits for the end."""
        self._watch.unobserve(self._work.number)
        await self.end()

    async def end(self) -> None:
        """Ends work that the watch has forgotten, and waits for the end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._reporter.end()

    def kill(self) -> None:
        """Ends the work at once."""
        self._watch.unobserve(self._work.number)
        self._reporter.end()
        if self._task is not None:
            self._task.cancel()

    def set_writable(self, writable: bool) -> None:
        self._writable = writable
        self.wake.set()

    async def may_write(self) -> None:
        """Returns once the environment lets the replica write."""
        while not self._writable:
            self.wake.clear()
            await self.wake.wait()

    def well(self) -> None:
        """Notes progress: the next failure is the first in a row."""
        self.failures = 0

    async def back_off(self, error: Exception | None = None) -> None:
        """Waits after a failure, the longer the more there were in a row, and as long as a busy endpoint asks for."""
        self.failures += 1
        asked_s = error.after_s if isinstance(error, EndpointBusy) else 0.0
        await self._places.clock.sleep(max(BACK_OFF.delay_s(self.failures), asked_s))

    def tell_failure(self, error: Exception, failures: int) -> None:
        """Reports a failure; `failures` counts those in a row."""
        known = error if isinstance(error, SqlError) else None
        message = f"{type(error).__name__}: {error}" if known is None else known.message
        if self._with_details and known is not None and known.detail:
            message = f"{message}: {known.detail}"
        if failures == 1 and known is None:
            log.error("the failure's trace", work=self._kind, number=self._work.number, exc_info=error)
        elif failures == 1 and known is not None and known.detail and not self._with_details:
            log.warning("the failure's detail", work=self._kind, number=self._work.number, detail=known.detail)
        hint = "" if known is None else known.hint or ""
        self._reporter.status(DataflowPhase.FAILING, message=message, retries=failures, hint=hint)

    async def _run(self) -> None:
        if self._after:
            await asyncio.wait(self._after)
            self._after = ()
        while True:
            try:
                await self._work.live()
            except FencedOut as fenced:
                self._reporter.status(DataflowPhase.RUNNING, message="waits for the newest environment")
                await self._work.interrupted(fenced)
                await self._places.fencing.changed(fenced.preconditions)
            except ShardGone:
                message = await self._work.dropped()
                if message is not None:
                    self._reporter.status(DataflowPhase.FINISHED, message=message)
                    await asyncio.get_running_loop().create_future()
            except WriteRefused as refused:
                log.info("write refused", work=self._kind, number=self._work.number, reason=str(refused))
                await self._work.interrupted(refused)
                await self.back_off()
            except Exception as error:  # noqa: BLE001  (it is reported, and tried again)
                self.tell_failure(error, self.failures + 1)
                await self._work.interrupted(error)
                await self.back_off(error)

    def _log_defect(self, error: Exception | None) -> None:
        log.error("a task ended", work=self._kind, number=self._work.number, exc_info=error)
