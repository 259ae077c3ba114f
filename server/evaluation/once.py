"""What is worked out of an object once, and known as long as the object lives: for what plans are asked each time that
they are executed."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once_each(work: Callable[[T], R]) -> Callable[[T], R]:
    """`work`, done once for each object. Objects are told apart by identity: equal ones may be large to compare. They
    never change, and weak references to them are possible. What `work` gives must not hold the object: it would keep
    it for ever."""
    known: dict[int, tuple[weakref.ref[T], R]] = {}

    def remembered(subject: T) -> R:
        number = id(subject)
        found = known.get(number)
        if found is None:
            # The object takes its entry with it, before another one can have its number.
            found = known[number] = weakref.ref(subject, lambda _: known.pop(number, None)), work(subject)
        return found[1]

    return remembered
