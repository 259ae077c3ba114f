"""Write locks: what one statement keeps from changing while it reads and then writes: tables, or rows of them by keys.

An autocommitted read-then-write statement locks all that it reads and writes before it reads, so that its validation at
commit can't fail and it makes progress under any storm of inserts. Others' commits that change what is locked wait;
reads don't. Locks are granted first come, first served, and all of a statement's at once.

Who locks rows by keys changes rows with these keys alone, and leaves the keys as they are. So of two that have rows of
one table locked, neither's commit waits for the other's lock: such locks are granted together only where both are by
the same columns, and for other values.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from model.global_id import GlobalId
from timeline.footprint import Footprint, WrittenRows, shared_tables
from timeline.waiting import Blocker, LockOwner, WaitGraph


@dataclass(eq=False, slots=True)
class _Asked:
    """Locks that wait to be granted, or are."""

    locked: Footprint
    owner: LockOwner
    granted: asyncio.Future[None]


class WriteLocks:
    """Volatile: a crash releases every lock, and nothing of the statement has been written."""

    def __init__(self, graph: WaitGraph | None = None) -> None:
        self._held: list[_Asked] = []
        self._queue: list[_Asked] = []
        self._graph = graph or WaitGraph()
        self._graph.add(self._waits)

    def owners(self, writer: LockOwner, written: Mapping[GlobalId, WrittenRows]) -> list[Blocker]:
        """Whose locks the write must wait for, and of which tables."""
        return [
            (id_, held.owner)
            for held in self._held
            if held.owner is not writer
            for id_, rows in written.items()
            if held.locked.meets({id_: rows})
        ]

    @asynccontextmanager
    async def hold(self, locked: Footprint, owner: LockOwner | None = None) -> AsyncIterator[None]:
        """Holds the locks while the body runs; 40P01 when it would wait for ever."""
        asked = _Asked(locked, owner or LockOwner(), asyncio.get_running_loop().create_future())
        self._queue.append(asked)
        self._grant()
        try:
            if not asked.granted.done():
                self._graph.refuse_cycle(asked.owner)
            await asked.granted
            yield
        finally:
            for place in (self._queue, self._held):
                if asked in place:
                    place.remove(asked)
            self._grant()

    def _grant(self) -> None:
        """Grants in order of arrival whatever does not overlap what is held or asked for earlier."""
        earlier: list[_Asked] = []
        for asked in list(self._queue):
            if asked.granted.done():
                self._queue.remove(asked)
            elif not any(shared_tables(asked.locked, other.locked) for other in (*self._held, *earlier)):
                self._queue.remove(asked)
                self._held.append(asked)
                asked.granted.set_result(None)
            else:
                earlier.append(asked)

    def _waits(self, owner: LockOwner) -> list[Blocker]:
        """For whose locks the owner waits here: those that are held, and those that were asked for before."""
        blockers: list[Blocker] = []
        earlier = list(self._held)
        for asked in self._queue:
            if asked.owner is owner:
                blockers += [
                    (id_, other.owner) for other in earlier for id_ in sorted(shared_tables(other.locked, asked.locked))
                ]
            earlier.append(asked)
        return blockers
