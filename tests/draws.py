"""How many examples tests of laws draw: some where every change is tried, all with new draws (`make test-all`)."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import HealthCheck, settings

_PART = 3


def draws(count: int, unchecked: Iterable[HealthCheck] = ()) -> settings:
    """Returns settings by which a test draws `count` examples, and a third where a run draws what the last one drew."""
    examples = count // _PART if settings().derandomize else count
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(unchecked))
