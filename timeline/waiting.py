"""Circles of waiting transactions: the last transaction to close a circle is refused, and the others go on.

    A waits for B  <=>  A wants a lock that B holds, or requested earlier

Transactions wait for locks, and holders of locks wait in the group committer's queue. Each place reports its own waits;
a circle may pass through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId


@dataclass(eq=False, slots=True)
class LockOwner:
    """A transaction that may hold locks; `pid` is the session's, or 0 without a session."""

    pid: int = 0


Blocker = tuple[GlobalId, LockOwner]
"""Who has a lock, and on what."""

Waits = Callable[[LockOwner], Sequence[Blocker]]
"""For whom an owner waits in one place, and for which of their locks."""


@dataclass(frozen=True, slots=True)
class _Step:
    waiting: LockOwner
    wanted: GlobalId
    blocker: LockOwner


class WaitGraph:
    """The places where transactions wait for locks of others."""

    def __init__(self) -> None:
        self._places: list[Waits] = []

    def add(self, place: Waits) -> None:
        """Adds a place."""
        self._places.append(place)

    def refuse_cycle(self, owner: LockOwner) -> None:
        """Raises 40P01 when `owner`, which has begun to wait, waits for itself through others."""
        circle = self._circle(owner)
        if circle:
            raise _deadlock(circle)

    def _circle(self, owner: LockOwner) -> list[_Step]:
        """Returns the steps from the owner back to the owner; none when no circle exists."""
        came: dict[LockOwner, _Step] = {}
        pending = [owner]
        while pending:
            waiting = pending.pop()
            for place in self._places:
                for wanted, blocker in place(waiting):
                    step = _Step(waiting, wanted, blocker)
                    if blocker is owner:
                        return _way(step, owner, came)
                    if blocker not in came:
                        came[blocker] = step
                        pending.append(blocker)
        return []


def _way(last: _Step, owner: LockOwner, came: Mapping[LockOwner, _Step]) -> list[_Step]:
    steps = [last]
    while steps[-1].waiting is not owner:
        steps.append(came[steps[-1].waiting])
    return steps[::-1]


def _deadlock(circle: list[_Step]) -> SqlError:
    lines = [
        f"Process {step.waiting.pid} waits for the lock of {step.wanted}; blocked by process {step.blocker.pid}."
        for step in circle
    ]
    return SqlError(
        Sqlstate.DEADLOCK_DETECTED,
        "deadlock detected",
        detail="\n".join(lines),
        hint="The transaction might succeed if retried.",
    )
