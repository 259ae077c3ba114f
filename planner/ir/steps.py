"""Counts the steps of planning, so that a plan that takes too many is given up: a text of a thousand characters may ask
for as many as there are atoms.

A step is a node of a plan that is looked at or made, which takes a microsecond or two. Steps are counted and not
timed: the same text takes the same, however busy the machine is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class StepsSpent(Exception):
    """The work takes more steps than it may, or nobody wants it any more."""


class Steps:
    """The steps that a piece of work may still take. Another thread may end it."""

    __slots__ = ("_ended", "_left", "_most")

    def __init__(self, most: int) -> None:
        self._most = self._left = most
        self._ended = False

    def take(self) -> None:
        """Counts one step; raises StepsSpent when it is one too many."""
        self._left -= 1
        if self._left < 0 or self._ended:
            raise StepsSpent

    def end(self) -> None:
        """Has the next step raise."""
        self._ended = True

    @property
    def taken(self) -> int:
        return self._most - self._left


UNDER_WAY: ContextVar[Steps | None] = ContextVar("steps", default=None)
"""The steps of the work that this context does; None where they are not counted."""


@contextmanager
def counted(steps: Steps) -> Iterator[Steps]:
    """Counts the steps of what is done meanwhile."""
    token = UNDER_WAY.set(steps)
    try:
        yield steps
    finally:
        UNDER_WAY.reset(token)
