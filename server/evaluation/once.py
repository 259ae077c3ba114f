"""Caches facts derived from an object for as long as the object lives: plans are executed many times."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def once_each(work: Callable[[T], R]) -> Callable[[T], R]:
    """Returns `work`, computed once per object. Objects are told apart by identity (comparing equal ones may be
    slow); they must never change, and must allow weak references. The result of `work` must not refer to the object,
    which would then never be freed."""
    known: dict[int, tuple[weakref.ref[T], R]] = {}

    def remembered(subject: T) -> R:
        number = id(subject)
        found = known.get(number)
        if found is None:
            # The object takes its entry with it, before another one can have its number.
            found = known[number] = weakref.ref(subject, lambda _: known.pop(number, None)), work(subject)
        return found[1]

    return remembered
