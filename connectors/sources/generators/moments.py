"""Moments of generators' own time, which begins with the year 2026 and goes on with their steps, not with clocks."""

from __future__ import annotations

import pyarrow as pa

from connectors.sources.generators.randomness import Integers
from model.physical.columns import arrow_type
from model.types.scalar_type import TIMESTAMP, TIMESTAMPTZ

_BEGIN_MS = 1_767_225_600_000


def moments(after_ms: Integers) -> pa.Array:
    """Points in time so many milliseconds after the beginning."""
    return pa.array((after_ms + _BEGIN_MS) * 1_000).cast(arrow_type(TIMESTAMPTZ))


def local_moments(after_ms: Integers) -> pa.Array:
    """As `moments`, without a time zone."""
    return pa.array((after_ms + _BEGIN_MS) * 1_000).cast(arrow_type(TIMESTAMP))
