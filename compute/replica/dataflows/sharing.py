"""Dataflows that compute the same become one, once they have come to the same time.

Each begins by itself, at its own as_of, so that it has its own past. When two are between ticks at one time, their
states are equal, for a state is what the inputs hold at that time made into something else. Then one of them takes the
exports of the other and goes on for both; the other computes no more.

    one    ──tick──▶ 20 ──tick──▶ 35 ─┬─ takes the other's exports ──tick──▶ …
    other  ──────tick──────▶ 35 ──────┘

So that they meet, a tick ends where another one is, or will be at the end of its tick, and who is there first waits for
a moment. Who fails, hydrates or has errors in what it exports is left alone: of an error only that there is one is the
same in both.
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
    """A dataflow as others see it that compute the same."""

    @property
    def upper(self) -> Antichain:
        """Up to where it has come."""
        ...

    @property
    def heading(self) -> Antichain:
        """Where the tick ends that is under way; its upper between ticks."""
        ...

    @property
    def resting(self) -> bool:
        """Whether it waits between ticks."""
        ...

    @property
    def keeping(self) -> bool:
        """Whether a checkpoint of it is under way."""
        ...

    @property
    def joinable(self) -> bool:
        """Whether it may become one with others when they have come to the same time."""
        ...

    @property
    def shared(self) -> bool:
        """Whether its state lies where the others look for theirs: it goes on for them. Of all one at most is so."""
        ...

    def wake(self) -> None:
        """Others have come further."""
        ...

    def take(self, other: Self) -> None:
        """Takes the exports of one that has come to the same time. Both are between ticks."""
        ...


S = TypeVar("S", bound=Sharer)


class Sharers(Generic[S]):
    """All that compute the same. `joined` is told of the one that goes on and of the one that is no more."""

    def __init__(self, joined: Callable[[S, S], None]) -> None:
        self.members: list[S] = []
        self._joined = joined
        self._not_before_s: dict[S, float] = {}
        self._waits_since_s: dict[S, float] = {}

    def bound(self, one: S) -> Antichain:
        """Where a tick of it ends at the latest, to meet another."""
        bound = EMPTY
        if one.joinable:
            for other in self._others(one):
                if one.upper.precedes(other.heading) and one.upper != other.heading:
                    bound = bound.meet(other.heading)
        return bound

    def meet(self, one: S) -> bool:
        """One is between ticks: it becomes one with those that are at the same time. False: it is no more."""
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
        """Whether it is to wait, though it could go on: another will be where it is in a moment."""
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
        """It has nothing to do: those that are behind, though nothing has come to them, are to come here."""
        for other in self._others(one) if one.joinable else ():
            if other.resting and other.upper != one.upper and other.upper.precedes(one.upper):
                other.wake()

    def leave(self, one: S) -> None:
        """It is no more. Idempotent."""
        if one in self.members:
            self.members.remove(one)
        self._not_before_s.pop(one, None)
        self._waits_since_s.pop(one, None)

    def _others(self, one: S) -> Iterator[S]:
        """Those that it may become one with. Of two that keep their states in places of their own neither goes on: what
        would lie in the place of one were not found for the other, once the one is dropped."""
        others = (each for each in self.members if each is not one and each.joinable)
        return (each for each in others if each.shared != one.shared)
