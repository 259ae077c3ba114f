"""Write locks: collections that one statement keeps from changing while it reads and then writes.

An autocommitted read-then-write statement locks all that it reads and writes before it reads, so that its validation at
commit can't fail and it makes progress under any storm of inserts. Others' commits to these collections wait; reads
don't. Locks are granted first come, first served, and all of a statement's at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from model.global_id import GlobalId
from timeline.waiting import LockOwner, WaitGraph


@dataclass(eq=False, slots=True)
class _Asked:
    """Locks that wait to be granted."""

    ids: frozenset[GlobalId]
    owner: LockOwner
    granted: asyncio.Future[None]


class WriteLocks:
    """Volatile: a crash releases every lock, and nothing of the statement has been written."""

    def __init__(self, graph: WaitGraph | None = None) -> None:
        self._held: dict[GlobalId, LockOwner] = {}
        self._queue: list[_Asked] = []
        self._graph = graph or WaitGraph()
        self._graph.add(self._waits)

    def locked(self, ids: frozenset[GlobalId]) -> bool:
        """Whether a write to any of `ids` must wait."""
        return not self._held.keys().isdisjoint(ids)

    def owners(self, ids: frozenset[GlobalId]) -> dict[GlobalId, LockOwner]:
        """Who has which of the locks of `ids`."""
        return {id_: self._held[id_] for id_ in sorted(ids) if id_ in self._held}

    @asynccontextmanager
    async def hold(self, ids: frozenset[GlobalId], owner: LockOwner | None = None) -> AsyncIterator[None]:
        """Holds the locks of `ids` while the body runs; 40P01 when it would wait for ever."""
        asked = _Asked(ids, owner or LockOwner(), asyncio.get_running_loop().create_future())
        self._queue.append(asked)
        self._grant()
        try:
            if not asked.granted.done():
                self._graph.refuse_cycle(asked.owner)
            await asked.granted
            yield
        finally:
            if asked in self._queue:
                self._queue.remove(asked)
            elif not asked.granted.cancelled():
                for id_ in ids:
                    del self._held[id_]
            self._grant()

    def _grant(self) -> None:
        """Grants in order of arrival whatever does not overlap what is held or asked for earlier."""
        earlier: set[GlobalId] = set()
        for asked in list(self._queue):
            if asked.granted.done():
                self._queue.remove(asked)
            elif not self.locked(asked.ids) and earlier.isdisjoint(asked.ids):
                self._queue.remove(asked)
                self._held.update(dict.fromkeys(asked.ids, asked.owner))
                asked.granted.set_result(None)
            else:
                earlier |= asked.ids

    def _waits(self, owner: LockOwner) -> dict[GlobalId, LockOwner]:
        """For whose locks the owner waits here: those that are held, and those that were asked for before."""
        blockers: dict[GlobalId, LockOwner] = {}
        earlier: list[_Asked] = []
        for asked in self._queue:
            if asked.owner is owner:
                blockers |= self.owners(asked.ids)
                for other in earlier:
                    blockers |= dict.fromkeys(other.ids & asked.ids, other.owner)
            earlier.append(asked)
        return blockers
