"""Write locks: collections that one statement keeps from changing while it reads and then writes.

An autocommitted read-then-write statement locks all that it reads and writes before it reads, so that its validation at
commit can't fail and it makes progress under any storm of inserts. Others' commits to these collections wait; reads
don't. Locks are granted first come, first served, and all at once, so there is no deadlock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from model.global_id import GlobalId


class WriteLocks:
    """Volatile: a crash releases every lock, and nothing of the statement has been written."""

    def __init__(self) -> None:
        self._held: set[GlobalId] = set()
        self._queue: list[tuple[frozenset[GlobalId], asyncio.Future[None]]] = []

    def locked(self, ids: frozenset[GlobalId]) -> bool:
        """Whether a write to any of `ids` must wait."""
        return not self._held.isdisjoint(ids)

    @asynccontextmanager
    async def hold(self, ids: frozenset[GlobalId]) -> AsyncIterator[None]:
        """Holds the locks of `ids` while the body runs."""
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        entry = (ids, granted)
        self._queue.append(entry)
        self._grant()
        try:
            await granted
            yield
        finally:
            if entry in self._queue:
                self._queue.remove(entry)
            elif not granted.cancelled():
                self._held -= ids
            self._grant()

    def _grant(self) -> None:
        """Grants in order of arrival whatever does not overlap what is held or asked for earlier."""
        earlier: set[GlobalId] = set()
        for entry in list(self._queue):
            ids, granted = entry
            if granted.done():
                self._queue.remove(entry)
            elif self._held.isdisjoint(ids) and earlier.isdisjoint(ids):
                self._queue.remove(entry)
                self._held |= ids
                granted.set_result(None)
            else:
                earlier |= ids
