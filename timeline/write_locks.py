"""Write locks: tables, or rows by key, that a statement keeps from changing while it reads and then writes.

An autocommitted read-then-write statement locks everything it reads and writes before reading, so that its validation
at commit can't fail, and it makes progress under any storm of inserts. Commits of others that change locked rows wait;
reads don't. Locks are granted first come, first served, and all locks of a statement at once.

A statement with locks of rows by key changes rows with these keys alone, and leaves the keys as they are. Two
statements with locks on rows of one table therefore never wait for each other's commits: such locks are granted
together only when both name the same columns and different values.

A prepared transaction's promise lasts until COMMIT PREPARED or ROLLBACK PREPARED, without a statement.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from model.ids.global_id import GlobalId
from timeline.claims import Claim, Claims
from timeline.footprint import Footprint, WrittenRows
from timeline.waiting import Blocker, LockOwner, WaitGraph


class WriteLocks:
    """Volatile: a crash releases every lock, and nothing of the statement has been written."""

    def __init__(self, graph: WaitGraph | None = None) -> None:
        self._held = Claims()
        self._promised = Claims()
        self._promises: dict[LockOwner, Claim] = {}
        self._queue = Claims()
        self._waiting: dict[LockOwner, list[Claim]] = {}
        self._numbers = itertools.count()
        self._graph = graph or WaitGraph()
        self._graph.add(self._waits)

    def owners(self, writer: LockOwner, written: Mapping[GlobalId, WrittenRows]) -> list[Blocker]:
        """Returns the owners of the locks and promises that the write must wait for, with the locked tables."""
        places = (self._held, self._promised) if self._promises else (self._held,)
        return [
            (id_, held.owner)
            for id_, rows in written.items()
            for place in places
            for held in place.met_by_rows(id_, rows)
            if held.owner is not writer
        ]

    def promise(self, reads: Footprint, owner: LockOwner) -> None:
        """Keeps what a prepared transaction has read from changing until it ends. Whoever only reads it may do so, so
        two promises never exclude each other, nor locks; commits wait."""
        claim = Claim(reads, owner, asyncio.get_running_loop().create_future(), next(self._numbers))
        self._promises[owner] = claim
        self._promised.add(claim)

    def release_promise(self, owner: LockOwner) -> None:
        """Ends the owner's promise."""
        self._promised.remove(self._promises.pop(owner))

    @asynccontextmanager
    async def hold(self, locked: Footprint, owner: LockOwner | None = None) -> AsyncIterator[None]:
        """Holds the locks while the body runs; raises 40P01 when it would wait for ever."""
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
        """Returns whether a held lock, or an earlier waiting claim, excludes the claim."""
        if any(True for _ in self._held.met_by(claim)):
            return True
        return any(next(iter(met.claims)).number < claim.number for met in self._queue.met_by(claim))

    def _grant(self, claim: Claim) -> None:
        self._held.add(claim)
        claim.granted.set_result(None)

    def _grant_behind(self, gone: Claim) -> None:
        """Grants the claims that waited for `gone` alone, in order of arrival."""
        behind = {claim for met in self._queue.met_by(gone) for claim in met.claims}
        for claim in sorted(behind, key=lambda each: each.number):
            if not claim.granted.cancelled() and not self._is_kept_waiting(claim):
                self._leave_queue(claim)
                self._grant(claim)

    def _waits(self, owner: LockOwner) -> list[Blocker]:
        """Returns the holders of locks, and the earlier claimants, for which the owner waits here.

        Of the earlier claimants, the last stands for others before it when the last itself waits for them.
        """
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
