"""Moments in the generators' own time, which begins with the year 2026 and advances with their steps, independent of
clocks."""

from __future__ import annotations

import pyarrow as pa

from connectors.generators.randomness import Integers
from model.physical.columns import arrow_type
from model.types.scalar_type import TIMESTAMP, TIMESTAMPTZ

_BEGIN_MS = 1_767_225_600_000


def moments(after_ms: Integers) -> pa.Array:
    """Returns moments so many milliseconds after the beginning, as timestamptz."""
    return pa.array((after_ms + _BEGIN_MS) * 1_000).cast(arrow_type(TIMESTAMPTZ))


def local_moments(after_ms: Integers) -> pa.Array:
    """Returns moments so many milliseconds after the beginning, as timestamp."""
    return pa.array((after_ms + _BEGIN_MS) * 1_000).cast(arrow_type(TIMESTAMP))
