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
import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from model.global_id import GlobalId
from timeline.claims import Claim, Claims
from timeline.footprint import Footprint, WrittenRows
from timeline.waiting import Blocker, LockOwner, WaitGraph


class WriteLocks:
    """Volatile: a crash releases every lock, and nothing of the statement has been written."""

    def __init__(self, graph: WaitGraph | None = None) -> None:
        self._held = Claims()
        self._queue = Claims()
        self._waiting: dict[LockOwner, list[Claim]] = {}
        self._numbers = itertools.count()
        self._graph = graph or WaitGraph()
        self._graph.add(self._waits)

    def owners(self, writer: LockOwner, written: Mapping[GlobalId, WrittenRows]) -> list[Blocker]:
        """Whose locks the write must wait for, and of which tables."""
        return [
            (id_, held.owner)
            for id_, rows in written.items()
            for held in self._held.met_by_rows(id_, rows)
            if held.owner is not writer
        ]

    @asynccontextmanager
    async def hold(self, locked: Footprint, owner: LockOwner | None = None) -> AsyncIterator[None]:
        """Holds the locks while the body runs; 40P01 when it would wait for ever."""
        granted = asyncio.get_running_loop().create_future()
        claim = Claim(locked, owner or LockOwner(), granted, next(self._numbers))
        if self._is_kept_waiting(claim):
            self._queue.add(claim)
            self._waiting.setdefault(claim.owner, []).append(claim)
        else:
            self._grant(claim)
        try:
            if claim.owner in self._waiting:
                self._graph.refuse_cycle(claim.owner)
            await granted
            yield
        finally:
            if granted.done() and not granted.cancelled():
                self._held.remove(claim)
            else:
                self._leave_queue(claim)
            self._grant_behind(claim)

    def _leave_queue(self, claim: Claim) -> None:
        self._queue.remove(claim)
        waiting = self._waiting[claim.owner]
        waiting.remove(claim)
        if not waiting:
            del self._waiting[claim.owner]

    def _is_kept_waiting(self, claim: Claim) -> bool:
        """By what is held, or has been asked for earlier and waits."""
        if any(True for _ in self._held.met_by(claim)):
            return True
        return any(next(iter(met.claims)).number < claim.number for met in self._queue.met_by(claim))

    def _grant(self, claim: Claim) -> None:
        self._held.add(claim)
        claim.granted.set_result(None)

    def _grant_behind(self, gone: Claim) -> None:
        """Grants in order of arrival what waited for that one alone."""
        behind = {claim for met in self._queue.met_by(gone) for claim in met.claims}
        for claim in sorted(behind, key=lambda each: each.number):
            if not claim.granted.cancelled() and not self._is_kept_waiting(claim):
                self._leave_queue(claim)
                self._grant(claim)

    def _waits(self, owner: LockOwner) -> list[Blocker]:
        """For whose locks the owner waits here: those that are held, and those that were asked for before. Of these the
        last one stands for others before it, where it waits for them itself."""
        blockers: list[Blocker] = []
        for claim in self._waiting.get(owner, ()):
            blockers += [(met.table, each.owner) for met in self._held.met_by(claim) for each in met.claims]
            for met in self._queue.met_by(claim):
                for each in reversed(met.claims):
                    if each.number < claim.number:
                        blockers.append((met.table, each.owner))
                        if met.with_each_other or each.tables[met.table] is None:
                            break
        return blockers
