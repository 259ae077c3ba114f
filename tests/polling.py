"""Asks again and again until something is so, and leaves the processor to what is waited for.

    for _ in polls(60.0):
        found = rows(connection, sql)
        if found == wanted:
            return
    raise AssertionError(f"{found} came, {wanted} was to come")

A question every few milliseconds keeps the server and its Spark busy with answers, while both have to start, to read
and to write before the answer can be another: the waiting costs as much as the work, which takes longer for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

_PATIENCE_S = 240.0
_PAUSE_MIN_S = 0.02
_PAUSE_MAX_S = 0.4
_PAUSE_BY_ANSWER = 4.0
"""So that asking takes a fifth of the time, where answers are dear."""


def polls(patience_s: float) -> Iterator[None]:
    """Yields before each question, with pauses in between that grow with what answers take; ends after `patience_s`."""
    deadline = time.monotonic() + patience_s
    while (began := time.monotonic()) < deadline:
        yield
        took_s = time.monotonic() - began
        time.sleep(min(max(took_s * _PAUSE_BY_ANSWER, _PAUSE_MIN_S), _PAUSE_MAX_S))


def await_that(holds: Callable[[], object], patience_s: float = _PATIENCE_S) -> None:
    """Returns once `holds` says so; AssertionError when that takes longer than `patience_s`."""
    for _ in polls(patience_s):
        if holds():
            return
    raise AssertionError("what was waited for has not come")
