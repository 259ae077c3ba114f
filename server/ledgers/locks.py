"""Locks with their holders and waiters: on tables, on rows, and advisory locks on numbers that clients choose.

Locks are granted in order of arrival; sessions that hold a lock on the same resource go first. A wait that would close
a circle is refused at once (40P01): nobody waits for ever. A transaction that waits here holds no write locks and no
place in the committer's queue, so circles consist of locks of this module alone.

A session never waits for itself: the locks of its transaction, and advisory locks held beyond transactions, belong to
one `SessionLocks`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from catalog.declared.snapshot import LockStatus
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from planner.functions.system.lock_lookup import AdvisoryKey
from planner.plans.locks import RowMode, TableMode
from server.ledgers.conflicts import Mode, conflict, conflicting_bits


@dataclass(frozen=True, slots=True)
class Resource:
    """A table; or, with a key, a row of the table."""

    table: GlobalId
    key: Hashable | None = None


class AdvisoryResource(NamedTuple):
    """A number, or two, in a database, by oid."""

    database: int
    key: AdvisoryKey


AnyResource = Resource | AdvisoryResource

ADVISORY_MAX = 10_000
"""How many advisory locks there may be at once; PostgreSQL has room for some 7,000 locks with its defaults."""


@dataclass(slots=True, eq=False)
class _Waiter:
    owner: Owner
    mode: Mode
    granted: asyncio.Future[None]


@dataclass(slots=True, eq=False)
class _Lock:
    """A lock on one resource.

    `holders`: how often each session holds which modes.
    `bits`: the modes held by anybody, as bits at the places of their numbers: a table that many read need not be
        compared with each holder.
    `counts`: how often each mode is held.
    """

    resource: AnyResource
    holders: dict[SessionLocks, Counter[Mode]] = field(default_factory=dict)
    waiters: list[_Waiter] = field(default_factory=list)
    counts: Counter[Mode] = field(default_factory=Counter)
    bits: int = 0

    def enter(self, session: SessionLocks, mode: Mode) -> None:
        self.holders.setdefault(session, Counter())[mode] += 1
        self.counts[mode] += 1
        self.bits |= 1 << mode

    def leave(self, session: SessionLocks, mode: Mode, count: int) -> None:
        modes = self.holders[session]
        modes[mode] -= count
        if not modes[mode]:
            del modes[mode]
        if not modes:
            del self.holders[session]
        self.counts[mode] -= count
        if not self.counts[mode]:
            self.bits &= ~(1 << mode)


class SessionLocks:
    """A session as holder and waiter of locks, with the advisory locks that outlive its transactions and how often each
    was taken. A prepared transaction has a `SessionLocks` with pid 0 and the transaction's `number`.
    """

    def __init__(self, locks: Locks, pid: int, number: int = 0) -> None:
        self._locks = locks
        self.pid = pid
        self.number = number
        self.waiting: tuple[_Lock, _Waiter] | None = None
        self.counts: Counter[tuple[AnyResource, Mode]] = Counter()

    @property
    def session(self) -> SessionLocks:
        return self

    def transaction(self) -> LockHolder:
        """Returns the holder for a new transaction of the session."""
        return LockHolder(self._locks, self)

    def has(self, resource: AnyResource, mode: Mode) -> bool:
        """Returns False: each further time counts."""
        return False

    def gain(self, resource: AnyResource, mode: Mode) -> None:
        self.counts[resource, mode] += 1

    def lose(self, resource: AnyResource, mode: Mode) -> None:
        self.counts[resource, mode] -= 1
        if not self.counts[resource, mode]:
            del self.counts[resource, mode]

    def release_once(self, resource: AdvisoryResource, mode: Mode) -> bool:
        """Gives an advisory lock back as often as once; returns whether the session held it."""
        if (resource, mode) not in self.counts:
            return False
        self.lose(resource, mode)
        self._locks.release(self, resource, mode)
        return True

    def release_beyond(self, before: Mapping[tuple[AnyResource, Mode], int]) -> None:
        """Gives back what the session has taken since it held `before`: for a statement that runs again."""
        for (resource, mode), count in tuple(self.counts.items()):
            gained = count - before.get((resource, mode), 0)
            if gained > 0:
                self.counts[resource, mode] -= gained
                self._locks.release(self, resource, mode, gained)
        self.counts = +self.counts

    def release_all(self) -> None:
        """Gives back all that the session holds beyond its transactions."""
        for (resource, mode), count in tuple(self.counts.items()):
            del self.counts[resource, mode]
            self._locks.release(self, resource, mode, count)


class LockHolder:
    """A transaction's locks, in the order of taking."""

    def __init__(self, locks: Locks, session: SessionLocks) -> None:
        self._locks = locks
        self.session = session
        self.taken: dict[tuple[AnyResource, Mode], None] = {}

    @property
    def rows_taken(self) -> bool:
        """Returns whether the transaction has locked single rows."""
        return any(_is_row(resource) for resource, _ in self.taken)

    def rows_locked_since(self, place: int) -> set[GlobalId]:
        """Returns the tables of the rows locked after the first `place` locks."""
        return {
            each.table for each, _ in islice(self.taken, place, None) if isinstance(each, Resource) and _is_row(each)
        }

    def holds(self, resource: Resource, mode: Mode) -> bool:
        """Returns whether the transaction holds a lock at least as strong."""
        return self._locks.held_by(self.session, resource, mode)

    def has(self, resource: AnyResource, mode: Mode) -> bool:
        """Returns whether the transaction has taken this very lock."""
        return (resource, mode) in self.taken

    def gain(self, resource: AnyResource, mode: Mode) -> None:
        self.taken[resource, mode] = None

    def lose(self, resource: AnyResource, mode: Mode) -> None:
        del self.taken[resource, mode]

    def hand_over(self, to: LockHolder) -> None:
        """Gives all locks to another holder, without letting go of any."""
        for resource, mode in tuple(self.taken):
            self._locks.hand_over(self, to, resource, mode)

    def release_from(self, place: int) -> None:
        """Releases the locks taken after the first `place`."""
        for resource, mode in reversed(tuple(islice(self.taken, place, None))):
            del self.taken[resource, mode]
            self._locks.release(self, resource, mode)

    def release_but(self, place: int, kept: set[Resource]) -> None:
        """Releases row locks taken after the first `place`, except those of `kept`."""
        for resource, mode in tuple(islice(self.taken, place, None)):
            if _is_row(resource) and resource not in kept:
                del self.taken[resource, mode]
                self._locks.release(self, resource, mode)


Owner = LockHolder | SessionLocks
_Wait = tuple[SessionLocks, SessionLocks]


class Locks:
    """All locks. Volatile: a crash releases every lock, as it ends every transaction."""

    def __init__(self) -> None:
        self._tables: dict[GlobalId, _Lock] = {}
        self._rows: dict[GlobalId, dict[Hashable, _Lock]] = {}
        self._advisory: dict[AdvisoryResource, _Lock] = {}

    def of_session(self, pid: int, number: int = 0) -> SessionLocks:
        """Returns the locks of a new session with this pid, or of a prepared transaction with this number."""
        return SessionLocks(self, pid, number)

    def rows_locked(self, table: GlobalId) -> int:
        """Returns the number of locked rows of the table."""
        return len(self._rows.get(table, ()))

    def held_by(self, session: SessionLocks, resource: AnyResource, mode: Mode) -> bool:
        lock = self._find(resource)
        return lock is not None and any(_covers(held, mode) for held in lock.holders.get(session, ()))

    def take_now(self, owner: Owner, resource: AnyResource, mode: Mode) -> bool:
        """Takes the lock if possible without waiting; returns whether it was. Raises SqlError 53200 for an advisory
        lock when there are too many."""
        if owner.has(resource, mode):
            return True
        lock = self._find(resource) or self._add(resource)
        held = lock.holders.get(owner.session)
        if held is not None and any(_covers(each, mode) for each in held):
            if isinstance(resource, AdvisoryResource):
                self._grant(lock, owner, mode)
            return True
        contended = bool(lock.waiters) or bool(lock.bits & conflicting_bits(mode))
        if contended and any(True for _ in self._blockers(lock, owner.session, mode, lock.waiters)):
            return False
        self._grant(lock, owner, mode)
        return True

    async def take(self, owner: Owner, resource: AnyResource, mode: Mode) -> None:
        """Waits for the lock. Raises SqlError 40P01 when it would wait for ever."""
        if self.take_now(owner, resource, mode):
            return
        lock = self._find(resource)
        assert lock is not None, "somebody has it"
        waiter = _Waiter(owner, mode, asyncio.get_running_loop().create_future())
        place = len(lock.waiters) if owner.session not in lock.holders else 0
        lock.waiters.insert(place, waiter)
        owner.session.waiting = lock, waiter
        try:
            circle = self._circle(owner.session)
            if circle:
                raise _deadlock(circle)
            await waiter.granted
        except BaseException:
            if waiter in lock.waiters:
                lock.waiters.remove(waiter)
            elif waiter.granted.done() and not waiter.granted.cancelled():
                # It was granted in the moment in which its wait was given up.
                owner.lose(resource, mode)
                self.release(owner, resource, mode)
            self._settle(lock)
            raise
        finally:
            owner.session.waiting = None

    def hand_over(self, owner: LockHolder, to: LockHolder, resource: AnyResource, mode: Mode) -> None:
        """Gives a lock to another holder."""
        lock = self._find(resource)
        assert lock is not None, "what is held is known"
        owner.lose(resource, mode)
        self._grant(lock, to, mode)
        lock.leave(owner.session, mode, 1)

    def hold_again(self, owner: LockHolder, resource: AnyResource, mode: Mode) -> None:
        """Gives a prepared transaction a lock held before the server's start, beside all locks of other holders."""
        self._grant(self._find(resource) or self._add(resource), owner, mode)

    def release(self, owner: Owner, resource: AnyResource, mode: Mode, count: int = 1) -> None:
        """Releases `count` holds of the owner in one mode."""
        lock = self._find(resource)
        assert lock is not None, "what is held is known"
        lock.leave(owner.session, mode, count)
        if lock.waiters:
            self._settle(lock)
        elif not lock.holders:
            self._forget(lock)

    def statuses(self) -> Iterator[LockStatus]:
        """Yields all locks."""
        rows = (lock for locks in self._rows.values() for lock in locks.values())
        for lock in (*self._tables.values(), *rows, *self._advisory.values()):
            for session, modes in lock.holders.items():
                yield from (_status(lock, session, mode, granted=True) for mode in modes)
            for waiter in lock.waiters:
                yield _status(lock, waiter.owner.session, waiter.mode, granted=False)

    def blocking(self, session: SessionLocks) -> tuple[int, ...]:
        """Returns the pids of the sessions for whose locks `session` waits."""
        if session.waiting is None:
            return ()
        lock, waiter = session.waiting
        earlier = lock.waiters[: lock.waiters.index(waiter)] if waiter in lock.waiters else []
        found = self._blockers(lock, session, waiter.mode, earlier)
        return tuple(dict.fromkeys(each.pid for each in found))

    def _find(self, resource: AnyResource) -> _Lock | None:
        if isinstance(resource, AdvisoryResource):
            return self._advisory.get(resource)
        if resource.key is None:
            return self._tables.get(resource.table)
        return self._rows.get(resource.table, {}).get(resource.key)

    def _add(self, resource: AnyResource) -> _Lock:
        lock = _Lock(resource)
        if isinstance(resource, AdvisoryResource):
            if len(self._advisory) >= ADVISORY_MAX:
                hint = f"All sessions together may hold {ADVISORY_MAX} advisory locks."
                raise SqlError(Sqlstate.OUT_OF_MEMORY, "out of shared memory", hint=hint)
            self._advisory[resource] = lock
        elif resource.key is None:
            self._tables[resource.table] = lock
        else:
            self._rows.setdefault(resource.table, {})[resource.key] = lock
        return lock

    def _grant(self, lock: _Lock, owner: Owner, mode: Mode) -> None:
        lock.enter(owner.session, mode)
        owner.gain(lock.resource, mode)

    def _settle(self, lock: _Lock) -> None:
        """Grants waiting locks as far as possible, and forgets unused locks."""
        for waiter in tuple(lock.waiters):
            earlier = lock.waiters[: lock.waiters.index(waiter)]
            if waiter.granted.done():
                # Its wait has been given up, and it does not know yet.
                lock.waiters.remove(waiter)
            elif not any(True for _ in self._blockers(lock, waiter.owner.session, waiter.mode, earlier)):
                lock.waiters.remove(waiter)
                self._grant(lock, waiter.owner, waiter.mode)
                waiter.granted.set_result(None)
        if not lock.holders and not lock.waiters and self._find(lock.resource) is lock:
            self._forget(lock)

    def _forget(self, lock: _Lock) -> None:
        resource = lock.resource
        if isinstance(resource, AdvisoryResource):
            del self._advisory[resource]
            return
        if resource.key is None:
            del self._tables[resource.table]
            return
        rows = self._rows[resource.table]
        del rows[resource.key]
        if not rows:
            del self._rows[resource.table]

    def _blockers(
        self, lock: _Lock, session: SessionLocks, mode: Mode, earlier: list[_Waiter]
    ) -> Iterator[SessionLocks]:
        """Yields the sessions for which `session` has to wait: holders, and earlier waiters unless it is a holder
        itself."""
        for holder, modes in lock.holders.items():
            if holder is not session and any(conflict(mode, held) for held in modes):
                yield holder
        if session not in lock.holders:
            yield from (waiter.owner.session for waiter in earlier if conflict(mode, waiter.mode))

    def _circle(self, session: SessionLocks) -> list[_Wait]:
        """Returns the waits from the session back to itself; empty without a circle."""
        seen: set[SessionLocks] = set()
        stack: list[tuple[SessionLocks, list[_Wait]]] = [(session, [])]
        while stack:
            at, path = stack.pop()
            if at.waiting is None or at in seen:
                continue
            seen.add(at)
            lock, waiter = at.waiting
            earlier = lock.waiters[: lock.waiters.index(waiter)] if waiter in lock.waiters else []
            for blocker in self._blockers(lock, at, waiter.mode, earlier):
                if blocker is session:
                    return [*path, (at, blocker)]
                stack.append((blocker, [*path, (at, blocker)]))
        return []


def _covers(held: Mode, mode: Mode) -> bool:
    """Returns whether a holder of `held` need not take `mode`."""
    return held == mode or (isinstance(held, RowMode) and held > mode)


def _is_row(resource: AnyResource) -> bool:
    return isinstance(resource, Resource) and resource.key is not None


def _words(mode: Mode) -> str:
    return mode.words if isinstance(mode, TableMode) else mode.words.title().replace(" ", "")


def _status(lock: _Lock, session: SessionLocks, mode: Mode, *, granted: bool) -> LockStatus:
    match lock.resource:
        case Resource(table, key):
            return LockStatus(table, key is not None, session.pid, _words(mode), granted, transaction=session.number)
        case AdvisoryResource(database, key):
            return LockStatus(None, False, session.pid, _words(mode), granted, (database, key), session.number)


def _told(resource: AnyResource) -> str:
    """Returns a resource as the detail of a deadlock names it."""
    match resource:
        case Resource(table, key):
            return f"{'' if key is None else 'a row of '}relation {table}"
        case AdvisoryResource(database, key):
            return f"advisory lock [{database},{key.classid},{key.objid},{key.objsubid}]"


def _deadlock(circle: list[_Wait]) -> SqlError:
    """Returns 40P01 in PostgreSQL's words."""
    lines = []
    for waiting, blocker in circle:
        assert waiting.waiting is not None
        lock, waiter = waiting.waiting
        wanted = f"{_words(waiter.mode)} on {_told(lock.resource)}"
        lines.append(f"Process {waiting.pid} waits for {wanted}; blocked by process {blocker.pid}.")
    return SqlError(Sqlstate.DEADLOCK_DETECTED, "deadlock detected", detail="\n".join(lines))
