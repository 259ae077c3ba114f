"""A frontier over a totally ordered time: one time, or empty.

A frontier stands for the set of times greater or equal to its element; the empty frontier stands for no time at
all and is final. Frontiers never move backward (source: seed 2, "Time-varying collections").

    beyond(F)  = { t : F.time <= t }          beyond(empty) = {}
    A <= B     iff beyond(A) contains beyond(B)
"""

from __future__ import annotations

from dataclasses import dataclass

from model.time.timestamp import TIMESTAMP_MIN, Timestamp


@dataclass(frozen=True, slots=True)
class Antichain:
    """A frontier; `time` is None for the empty one."""

    time: Timestamp | None

    @staticmethod
    def at(time: int) -> Antichain:
        """Returns the frontier whose least time is `time`."""
        return Antichain(Timestamp(time))

    @property
    def empty(self) -> bool:
        return self.time is None

    def less_equal(self, time: Timestamp) -> bool:
        """Tells whether `time` is in advance of (greater or equal to) this frontier."""
        return self.time is not None and self.time <= time

    def precedes(self, other: Antichain) -> bool:
        """Tells whether this frontier is before or at `other`."""
        if other.time is None:
            return True
        return self.time is not None and self.time <= other.time

    def join(self, other: Antichain) -> Antichain:
        """Returns the later of the two."""
        return other if self.precedes(other) else self

    def meet(self, other: Antichain) -> Antichain:
        """Returns the earlier of the two."""
        return self if self.precedes(other) else other

    def __str__(self) -> str:
        return "{}" if self.time is None else f"{{{self.time}}}"


EMPTY = Antichain(None)
MINIMUM = Antichain(TIMESTAMP_MIN)
