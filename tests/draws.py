"""How many examples tests of laws draw: some where every change is tried, all with new draws (`make test-all`)."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import HealthCheck, settings

_PART, _LEAST = 6, 10


def draws(count: int, unchecked: Iterable[HealthCheck] = ()) -> settings:
    """Returns settings by which a test draws `count` examples, and a sixth (ten at least) where a run draws what
    the last one drew."""
    examples = max(count // _PART, min(count, _LEAST)) if settings().derandomize else count
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(unchecked))
