"""Joins dataflows of equal computation once they have come to the same time.

Each begins alone, at its own as_of, and so has its own past. When two are between ticks at one time, their states are
equal, because a state is a function of the inputs' contents at the time. One of them then takes the other's exports and
goes on for both; the other ends.

    one    ──tick──▶ 20 ──tick──▶ 35 ─┬─ takes the other's exports ──tick──▶ …
    other  ──────tick──────▶ 35 ──────┘

To meet, a tick ends at the time where another dataflow is, or will be after its tick, and the first to arrive waits for
a moment. A dataflow that fails, hydrates or has errors in its exports is left alone: two dataflows may differ in the
text of an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Generic, Protocol, Self, TypeVar

from model.time.antichain import EMPTY, Antichain

PATIENCE_S = 1.0
"""How long one waits for another."""
AGAIN_S = 60.0
"""After it has waited in vain it does not wait for so long."""


class Sharer(Protocol):
    """A dataflow as seen by others with equal computation."""

    @property
    def upper(self) -> Antichain:
        """Returns the time that the dataflow has reached."""
        ...

    @property
    def heading(self) -> Antichain:
        """Returns the end of the running tick; the upper between ticks."""
        ...

    @property
    def resting(self) -> bool:
        """Returns whether the dataflow waits between ticks."""
        ...

    @property
    def keeping(self) -> bool:
        """Returns whether a checkpoint is under way."""
        ...

    @property
    def joinable(self) -> bool:
        """Returns whether the dataflow may join others at the same time."""
        ...

    @property
    def shared(self) -> bool:
        """Returns whether the state lies in the common directory: the dataflow goes on for the others. At most one
        of all is so."""
        ...

    def wake(self) -> None:
        """Reports that others have moved on."""
        ...

    def take(self, other: Self) -> None:
        """Takes the exports of a dataflow at the same time. Both are between ticks."""
        ...


S = TypeVar("S", bound=Sharer)


class Sharers(Generic[S]):
    """All dataflows of one computation. `joined` is called with the dataflow that goes on and the dataflow that
    ended."""

    def __init__(self, joined: Callable[[S, S], None]) -> None:
        self.members: list[S] = []
        self._joined = joined
        self._not_before_s: dict[S, float] = {}
        self._waits_since_s: dict[S, float] = {}

    def bound(self, one: S) -> Antichain:
        """Returns the latest end of a tick of `one` that still meets another."""
        bound = EMPTY
        if one.joinable:
            for other in self._others(one):
                if one.upper.precedes(other.heading) and one.upper != other.heading:
                    bound = bound.meet(other.heading)
        return bound

    def meet(self, one: S) -> bool:
        """Joins `one`, which is between ticks, with dataflows at the same time. False if `one` has ended."""
        if one not in self.members:
            # Another has taken it, before it came to know.
            return False
        for other in list(self._others(one)) if one.joinable and not one.keeping else ():
            if other.resting and not other.keeping and other.upper == one.upper:
                goes_on, ends = (one, other) if one.shared else (other, one)
                goes_on.take(ends)
                self.leave(ends)
                self._joined(goes_on, ends)
                if ends is one:
                    return False
        return True

    def waits(self, one: S) -> bool:
        """Returns whether `one` is to wait although it could go on: another will arrive in a moment."""
        now_s = asyncio.get_running_loop().time()
        expected = one.joinable and any(not o.resting and o.heading == one.upper for o in self._others(one))
        if not expected or now_s < self._not_before_s.get(one, now_s):
            self._waits_since_s.pop(one, None)
            return False
        if now_s - self._waits_since_s.setdefault(one, now_s) < PATIENCE_S:
            return True
        del self._waits_since_s[one]
        self._not_before_s[one] = now_s + AGAIN_S
        return False

    def call(self, one: S) -> None:
        """Wakes dataflows behind `one`, which has nothing to do, although nothing has come for them."""
        for other in self._others(one) if one.joinable else ():
            if other.resting and other.upper != one.upper and other.upper.precedes(one.upper):
                other.wake()

    def leave(self, one: S) -> None:
        """Removes a dataflow. Idempotent."""
        if one in self.members:
            self.members.remove(one)
        self._not_before_s.pop(one, None)
        self._waits_since_s.pop(one, None)

    def _others(self, one: S) -> Iterator[S]:
        """Yields the dataflows that `one` may join. Two dataflows with directories of their own can't join: after
        the end of one, the other's state would not be found."""
        others = (each for each in self.members if each is not one and each.joinable)
        return (each for each in others if each.shared != one.shared)
