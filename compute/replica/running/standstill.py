"""Measures how long a thread has been inside one call of Java, in processor time.

A busy machine, a cold JVM and a collection of garbage make a call long by the clock, and say nothing about it. Counted
is the thread's own work. A thread that waits for something that never comes does not work; then the work of all threads
of the JVM meanwhile counts.

    own    ■■■■■■■■■■■■ 60 s       it plans, and is not done
    own    ■            all ■■■■■■■■■■■■■■■■■■■■■■■■ 600 s      it waits, and the others do not
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Worked:
    """The processor time so far of a thread, and of all threads of its process; None if unknown."""

    own_s: float | None
    all_s: float | None

    def since(self, before: Worked) -> Worked:
        """Returns the work after `before`."""
        return Worked(_less(self.own_s, before.own_s), _less(self.all_s, before.all_s))


@dataclass(frozen=True, slots=True)
class CallLimits:
    """A call is too long when its thread has worked on it for `own_s`, or all threads for `all_s` meanwhile."""

    own_s: float
    all_s: float

    def times(self, factor: float) -> CallLimits:
        return CallLimits(self.own_s * factor, self.all_s * factor)

    def reached(self, worked: Worked) -> bool:
        return (worked.own_s or 0.0) >= self.own_s or (worked.all_s or 0.0) >= self.all_s


class Standstill:
    """Tells, looked at again and again, whether one call has taken too long."""

    def __init__(self, limits: CallLimits) -> None:
        self.worked = Worked(0.0, 0.0)
        self._limits = limits
        self._call: object | None = None
        self._since: Worked | None = None

    def look(self, call: object | None, now: Worked) -> bool:
        """Looks whether a call stands still; `call` is another object for another call, and None when the thread is
        not inside one."""
        if call is None or call is not self._call or self._since is None:
            self._call, self._since = call, now
        self.worked = now.since(self._since)
        return call is not None and self._limits.reached(self.worked)

    def begin_again(self) -> None:
        """Starts counting anew after progress."""
        self._since = None


def _less(later: float | None, earlier: float | None) -> float | None:
    return None if later is None or earlier is None else later - earlier
