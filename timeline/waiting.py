"""Who waits for whom: when the last of a circle begins to wait, it is refused, and the others go on.

    A waits for B  <=>  A wants a lock that B has, or has asked for before

Waits stand in several places: for locks, and in the group committer's queue for those who hold them. Each place tells
of its own; a circle may go through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from model.errors import SqlError
from model.global_id import GlobalId
from model.sqlstate import Sqlstate


@dataclass(eq=False, slots=True)
class LockOwner:
    """A transaction that may have locks; `pid` is its session's, 0 without one."""

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
    """The places where transactions wait for others' locks."""

    def __init__(self) -> None:
        self._places: list[Waits] = []

    def add(self, place: Waits) -> None:
        """One more place."""
        self._places.append(place)

    def refuse_cycle(self, owner: LockOwner) -> None:
        """40P01 when `owner`, which has begun to wait, waits for itself through others."""
        circle = self._circle(owner)
        if circle:
            raise _deadlock(circle)

    def _circle(self, owner: LockOwner) -> list[_Step]:
        """The steps from the owner back to it; none when there is no way."""
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
