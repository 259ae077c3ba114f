"""What differs each time it is asked: random numbers and uuids."""

from __future__ import annotations

import uuid

from model.clock import SystemRandomness
from model.scalar_type import FLOAT8, UUID
from planner.functions.rows import function
from planner.functions.signature import Function, Volatility

_RANDOMNESS = SystemRandomness()
_STEPS = 1 << 53


def random_fraction() -> float:
    """At least 0 and less than 1."""
    return _RANDOMNESS.below(_STEPS) / _STEPS


def random_uuid() -> uuid.UUID:
    """Version 4."""
    return uuid.UUID(int=int(_RANDOMNESS.token(), 16), version=4)


FUNCTIONS: tuple[Function, ...] = (
    function("random", (), FLOAT8, random_fraction, volatility=Volatility.VOLATILE),
    function("gen_random_uuid", (), UUID, random_uuid, volatility=Volatility.VOLATILE),
)
