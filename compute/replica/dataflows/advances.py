"""Moves uppers of unchanged shards together, once a period, in one step; at once for a waiting reader.

Moving an upper is a write. A write for each view at each commit would cost as much as the commits themselves, and serve
nobody: a statement that reads a view tells the time it waits for.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import structlog

from compute.replica.running.places import Places
from compute.replica.running.shard_writer import FencedOut, ShardWriter, WriteRefused, commit_writes
from model.errors.sql_error import SqlError

log = structlog.get_logger()

Moved = Callable[[SqlError | None], None]

PERIOD_S = 1.0


class Advances:
    """The writers whose uppers are moved together. `run` is the task."""

    def __init__(self, places: Places, period_s: float = PERIOD_S) -> None:
        self._places = places
        self._period_s = period_s
        self._writers: dict[ShardWriter, Moved] = {}
        self._hurried = asyncio.Event()

    def add(self, writer: ShardWriter, moved: Moved) -> None:
        """Registers a writer: its upper follows the determined upper from now on. `moved` is called after each move,
        or with the reason of a failure."""
        self._writers[writer] = moved

    def remove(self, writer: ShardWriter) -> None:
        self._writers.pop(writer, None)

    def hurry(self) -> None:
        """Records determined uppers soon, because a reader waits."""
        self._hurried.set()

    async def run(self) -> None:
        """Moves uppers until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._period_s):
                    await self._hurried.wait()
            self._hurried.clear()
            try:
                await self.advance()
            except FencedOut as fenced:
                await self._places.fencing.changed(fenced.preconditions)
            except SqlError as error:
                log.warning("could not advance shards", error=error.message, detail=error.detail)
                for writer, moved in list(self._writers.items()):
                    if writer.lags:
                        moved(error)
            except Exception:
                # Every view's freshness stands on this task: a defect here must not end it unnoticed.
                log.exception("could not advance shards")

    async def advance(self) -> None:
        """Records the determined uppers of all writers that are not writing themselves."""
        due = {writer: moved for writer, moved in self._writers.items() if writer.lags and not writer.lock.locked()}
        if not due:
            return
        async with contextlib.AsyncExitStack() as stack:
            for writer in sorted(due, key=lambda each: each.machine.key):
                await stack.enter_async_context(writer.lock)
            try:
                # Without updates: when it is refused, there is nothing to abandon.
                writes = [(writer, await writer.prepare([], writer.determined)) for writer in due]
                await commit_writes(writes, self._places)
            except FencedOut:
                raise
            except WriteRefused as refused:
                # Others wrote, or dropped, one of them: all states are known anew, and the next round fits them.
                log.info("advance refused", reason=str(refused))
                for writer in due:
                    if writer.machine.state.dropped:
                        self.remove(writer)
        for moved in due.values():
            moved(None)
