"""How long a thread has been inside one call of Java, in time of the processor.

A machine that does much else, a JVM that is cold and a collection of Java's make a call long by the clock, and say
nothing of it. So what counts is what the thread itself has worked. One that waits for something that never comes works
not at all: there what counts is what all threads of the JVM have worked meanwhile.

    own    ■■■■■■■■■■■■ 60 s       it plans, and is not done
    own    ■            all ■■■■■■■■■■■■■■■■■■■■■■■■ 600 s      it waits, and the others do not
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Worked:
    """How long a thread, and all threads of its process, have had a processor so far; None where that is not told."""

    own_s: float | None
    all_s: float | None

    def since(self, before: Worked) -> Worked:
        """What has come after `before`."""
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
        """`call` is another object for another call, and None when the thread is not inside one."""
        if call is None or call is not self._call or self._since is None:
            self._call, self._since = call, now
        self.worked = now.since(self._since)
        return call is not None and self._limits.reached(self.worked)

    def begin_again(self) -> None:
        """There was progress: what has been worked so far counts no more."""
        self._since = None


def _less(later: float | None, earlier: float | None) -> float | None:
    return None if later is None or earlier is None else later - earlier
