"""Finds the times at which the one group of an aggregation without a key was empty: the group has an answer then,
too."""

from __future__ import annotations

from collections.abc import Iterable

Version = tuple[int | None, int | None]
"""(t, u): when it began (None: before the tick) and when it ended (None: it lasts)."""


def empty_updates(found: Iterable[Version], start: int | None) -> list[tuple[int, int]]:
    """Returns (time, diff) of the answer over no rows, given the versions with rows, which do not overlap.

    `start` is as_of in the first tick: before as_of, not even the empty answer exists.
    """
    versions = sorted(found, key=lambda version: (version[0] is not None, version[0] or 0))
    if not versions:
        return [] if start is None else [(start, 1)]
    updates: list[tuple[int, int]] = []
    until: int | None = start
    for began, ended in versions:
        if began != until:
            updates += _lasting(until, began)
        until = ended
    if until is not None:
        updates += _lasting(until, None)
    return updates


def _lasting(began: int | None, ended: int | None) -> list[tuple[int, int]]:
    return [(time, diff) for time, diff in ((began, 1), (ended, -1)) if time is not None]
