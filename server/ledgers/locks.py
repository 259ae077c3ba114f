"""Locks with their holders and waiters.

Locks are granted in order of arrival; holders of a lock on the same row or table go first. A wait that would close a
circle is refused at once (40P01), so that nobody waits for ever. A transaction that waits here holds no write locks and
no place in the committer's queue, so circles consist of these locks alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from catalog.declared.snapshot import LockStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.plans.locks import RowMode, TableMode
from server.ledgers.conflicts import Mode, conflict, conflicting_bits


@dataclass(frozen=True, slots=True)
class Resource:
    """A table; or, with a key, a row of the table."""

    table: GlobalId
    key: Hashable | None = None


@dataclass(slots=True, eq=False)
class _Waiter:
    owner: LockHolder
    mode: Mode
    granted: asyncio.Future[None]


@dataclass(slots=True, eq=False)
class _Lock:
    """A lock on one resource.

    `bits`: the modes held by anybody, as bits at the places of their numbers: a table that many read need not be
        compared with each holder.
    `counts`: how often each mode is held.
    """

    resource: Resource
    holders: dict[LockHolder, list[Mode]] = field(default_factory=dict)
    waiters: list[_Waiter] = field(default_factory=list)
    counts: Counter[Mode] = field(default_factory=Counter)
    bits: int = 0

    def enter(self, owner: LockHolder, mode: Mode) -> None:
        self.holders.setdefault(owner, []).append(mode)
        self.counts[mode] += 1
        self.bits |= 1 << mode

    def leave(self, owner: LockHolder, mode: Mode) -> None:
        modes = self.holders[owner]
        modes.remove(mode)
        if not modes:
            del self.holders[owner]
        self.counts[mode] -= 1
        if not self.counts[mode]:
            self.bits &= ~(1 << mode)


class LockHolder:
    """A transaction's locks, in the order of taking."""

    def __init__(self, locks: Locks, pid: int) -> None:
        self._locks = locks
        self.pid = pid
        self.taken: list[tuple[Resource, Mode]] = []
        self.waiting: tuple[_Lock, _Waiter] | None = None

    @property
    def rows_taken(self) -> bool:
        """Returns whether the transaction has locked single rows."""
        return any(resource.key is not None for resource, _ in self.taken)

    def holds(self, resource: Resource, mode: Mode) -> bool:
        """Returns whether the transaction holds a lock at least as strong."""
        return self._locks.held_by(self, resource, mode)

    def release_from(self, place: int) -> None:
        """Releases the locks taken after the first `place`."""
        for resource, mode in reversed(self.taken[place:]):
            self._locks.release(self, resource, mode)
        del self.taken[place:]

    def release_but(self, place: int, kept: set[Resource]) -> None:
        """Releases row locks taken after the first `place`, except those of `kept`."""
        later = self.taken[place:]
        del self.taken[place:]
        for resource, mode in later:
            if resource.key is None or resource in kept:
                self.taken.append((resource, mode))
            else:
                self._locks.release(self, resource, mode)


class Locks:
    """All locks. Volatile: a crash releases every lock, as it ends every transaction."""

    def __init__(self) -> None:
        self._tables: dict[GlobalId, _Lock] = {}
        self._rows: dict[GlobalId, dict[Hashable, _Lock]] = {}

    def holder(self, pid: int) -> LockHolder:
        """Returns the holder for a new transaction of the session with this pid."""
        return LockHolder(self, pid)

    def rows_locked(self, table: GlobalId) -> int:
        """Returns the number of locked rows of the table."""
        return len(self._rows.get(table, ()))

    def held_by(self, owner: LockHolder, resource: Resource, mode: Mode) -> bool:
        lock = self._find(resource)
        return lock is not None and any(_covers(held, mode) for held in lock.holders.get(owner, ()))

    def take_now(self, owner: LockHolder, resource: Resource, mode: Mode) -> bool:
        """Takes the lock if possible without waiting; returns whether it was."""
        lock = self._find(resource) or self._add(resource)
        held = lock.holders.get(owner)
        if held is not None and any(_covers(each, mode) for each in held):
            return True
        contended = bool(lock.waiters) or bool(lock.bits & conflicting_bits(mode))
        if contended and any(True for _ in self._blockers(lock, owner, mode, lock.waiters)):
            return False
        self._grant(lock, owner, mode)
        return True

    async def take(self, owner: LockHolder, resource: Resource, mode: Mode) -> None:
        """Waits for the lock. SqlError 40P01 when it would wait for ever."""
        if self.take_now(owner, resource, mode):
            return
        lock = self._find(resource)
        assert lock is not None, "somebody has it"
        waiter = _Waiter(owner, mode, asyncio.get_running_loop().create_future())
        place = len(lock.waiters) if owner not in lock.holders else 0
        lock.waiters.insert(place, waiter)
        owner.waiting = lock, waiter
        try:
            circle = self._circle(owner)
            if circle:
                raise _deadlock(circle)
            await waiter.granted
        except BaseException:
            if waiter in lock.waiters:
                lock.waiters.remove(waiter)
            elif waiter.granted.done() and not waiter.granted.cancelled():
                # It was granted in the moment in which its wait was given up.
                owner.taken.remove((resource, mode))
                self.release(owner, resource, mode)
            self._settle(lock)
            raise
        finally:
            owner.waiting = None

    def release(self, owner: LockHolder, resource: Resource, mode: Mode) -> None:
        """Releases one mode of the owner."""
        lock = self._find(resource)
        assert lock is not None, "what is held is known"
        lock.leave(owner, mode)
        self._settle(lock)

    def statuses(self) -> Iterator[LockStatus]:
        """All locks."""
        rows = (lock for locks in self._rows.values() for lock in locks.values())
        for lock in (*self._tables.values(), *rows):
            table, row = lock.resource.table, lock.resource.key is not None
            for owner, modes in lock.holders.items():
                yield from (LockStatus(table, row, owner.pid, _words(mode), True) for mode in modes)
            for waiter in lock.waiters:
                yield LockStatus(table, row, waiter.owner.pid, _words(waiter.mode), False)

    def _find(self, resource: Resource) -> _Lock | None:
        if resource.key is None:
            return self._tables.get(resource.table)
        return self._rows.get(resource.table, {}).get(resource.key)

    def _add(self, resource: Resource) -> _Lock:
        lock = _Lock(resource)
        if resource.key is None:
            self._tables[resource.table] = lock
        else:
            self._rows.setdefault(resource.table, {})[resource.key] = lock
        return lock

    def _grant(self, lock: _Lock, owner: LockHolder, mode: Mode) -> None:
        lock.enter(owner, mode)
        owner.taken.append((lock.resource, mode))

    def _settle(self, lock: _Lock) -> None:
        """Grants waiting locks as far as possible, and forgets unused locks."""
        for waiter in tuple(lock.waiters):
            earlier = lock.waiters[: lock.waiters.index(waiter)]
            if waiter.granted.done():
                # Its wait has been given up, and it does not know yet.
                lock.waiters.remove(waiter)
            elif not any(True for _ in self._blockers(lock, waiter.owner, waiter.mode, earlier)):
                lock.waiters.remove(waiter)
                self._grant(lock, waiter.owner, waiter.mode)
                waiter.granted.set_result(None)
        if not lock.holders and not lock.waiters and self._find(lock.resource) is lock:
            resource = lock.resource
            if resource.key is None:
                del self._tables[resource.table]
                return
            rows = self._rows[resource.table]
            del rows[resource.key]
            if not rows:
                del self._rows[resource.table]

    def _blockers(self, lock: _Lock, owner: LockHolder, mode: Mode, earlier: list[_Waiter]) -> Iterator[LockHolder]:
        """Yields the owners for whom `owner` has to wait: holders, and earlier waiters unless it is a holder itself."""
        for holder, modes in lock.holders.items():
            if holder is not owner and any(conflict(mode, held) for held in modes):
                yield holder
        if owner not in lock.holders:
            yield from (waiter.owner for waiter in earlier if conflict(mode, waiter.mode))

    def _circle(self, owner: LockHolder) -> list[tuple[LockHolder, LockHolder]]:
        """Returns the waits from the owner back to the owner; empty without a circle."""
        seen: set[LockHolder] = set()
        stack: list[tuple[LockHolder, list[tuple[LockHolder, LockHolder]]]] = [(owner, [])]
        while stack:
            at, path = stack.pop()
            if at.waiting is None or at in seen:
                continue
            seen.add(at)
            lock, waiter = at.waiting
            earlier = lock.waiters[: lock.waiters.index(waiter)] if waiter in lock.waiters else []
            for blocker in self._blockers(lock, at, waiter.mode, earlier):
                if blocker is owner:
                    return [*path, (at, blocker)]
                stack.append((blocker, [*path, (at, blocker)]))
        return []


def _covers(held: Mode, mode: Mode) -> bool:
    """Returns whether a holder of `held` need not take `mode`."""
    return held == mode or (isinstance(held, RowMode) and held > mode)


def _words(mode: Mode) -> str:
    return mode.words if isinstance(mode, TableMode) else mode.words.title().replace(" ", "")


def _deadlock(circle: list[tuple[LockHolder, LockHolder]]) -> SqlError:
    """Returns 40P01 in PostgreSQL's words."""
    lines = []
    for waiting, blocker in circle:
        assert waiting.waiting is not None
        lock, waiter = waiting.waiting
        row = "a row of " if lock.resource.key is not None else ""
        wanted = f"{_words(waiter.mode)} on {row}relation {lock.resource.table}"
        lines.append(f"Process {waiting.pid} waits for {wanted}; blocked by process {blocker.pid}.")
    return SqlError(Sqlstate.DEADLOCK_DETECTED, "deadlock detected", detail="\n".join(lines))
