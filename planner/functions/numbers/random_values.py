"""Functions with another result at each call: random numbers and uuids, shuffled arrays, the time of day in words."""

from __future__ import annotations

import datetime
import math
import uuid

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.clock import SystemClock, SystemRandomness
from model.types.arrays import Array, dimensions_of
from model.types.scalar_type import BYTEA, FLOAT8, INT4, TEXT, UUID
from planner.functions.collections.array_shapes import shuffled
from planner.functions.failures import invalid_parameter
from planner.functions.rows import ANYARRAY, first_type, function
from planner.functions.signature import Function, Volatility
from planner.functions.time.moments import zone_named
from planner.ir.scalar import SessionName

_RANDOMNESS = SystemRandomness()
_CLOCK = SystemClock()
_STEPS = 1 << 53
_BYTES_MAX = 1024
_TICKS_A_MS = 10_000
_GREGORIAN_TICKS = 0x01B21DD213814000
"""From 1582-10-15, when UUIDs begin to count, to 1970, in steps of 100 ns."""


def random_fraction() -> float:
    """Draws a number that is at least 0 and less than 1."""
    return _RANDOMNESS.below(_STEPS) / _STEPS


def random_uuid() -> uuid.UUID:
    """Draws a UUID of version 4."""
    return uuid.UUID(int=int(_RANDOMNESS.token(), 16), version=4)


def dated_uuid() -> uuid.UUID:
    """Draws a UUID of version 1: of the present time, and of a node that stands for no machine, as RFC 4122 allows."""
    ticks = _CLOCK.now_ms() * _TICKS_A_MS + _RANDOMNESS.below(_TICKS_A_MS) + _GREGORIAN_TICKS
    node = _RANDOMNESS.below(1 << 48) | 1 << 40
    time = ticks & 0xFFFFFFFF, ticks >> 32 & 0xFFFF, ticks >> 48 & 0x0FFF
    return uuid.UUID(fields=(*time, _RANDOMNESS.below(64), _RANDOMNESS.below(256), node), version=1)


def random_bytes(count: int) -> bytes:
    """Draws bytes; raises 39000 for a count that is not from 1 to 1024."""
    if not 1 <= count <= _BYTES_MAX:
        raise SqlError(Sqlstate.EXTERNAL_ROUTINE_INVOCATION_EXCEPTION, "Length not in range")
    return bytes(_RANDOMNESS.below(256) for _ in range(count))


def random_normal(mean: float = 0.0, deviation: float = 1.0) -> float:
    """Draws normally distributed numbers, by Box and Muller's transform."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_fraction()))
    return mean + deviation * radius * math.cos(2.0 * math.pi * random_fraction())


def array_sample(array: Array, count: int) -> Array:
    """Draws `count` parts of the first dimension in random order; raises 22023 when there are not so many."""
    length = _length(array)
    if not 0 <= count <= length:
        raise invalid_parameter(f"sample size must be between 0 and {length}")
    return shuffled(array, _drawn(length, count), 1)


def _shuffle(array: Array) -> Array:
    """Returns all parts, from the subscript on at which they began."""
    length = _length(array)
    return shuffled(array, _drawn(length, length), dimensions_of(array)[0][0] if length else 1)


def _drawn(length: int, count: int) -> list[int]:
    left = list(range(length))
    return [left.pop(_RANDOMNESS.below(len(left))) for _ in range(count)]


def _length(array: Array) -> int:
    shape = dimensions_of(array)
    return shape[0][1] if shape else 0


def time_of_day(now: datetime.datetime, zone: str) -> str:
    """Prints the wall time: `Wed Feb 28 15:59:01.123456 2024 EST`."""
    return now.astimezone(zone_named(zone)).strftime("%a %b %d %H:%M:%S.%f %Y %Z")


_VOLATILE = Volatility.VOLATILE

FUNCTIONS: tuple[Function, ...] = (
    function("random", (), FLOAT8, random_fraction, volatility=_VOLATILE),
    *(function("random_normal", (FLOAT8,) * count, FLOAT8, random_normal, volatility=_VOLATILE) for count in range(3)),
    function("gen_random_uuid", (), UUID, random_uuid, volatility=_VOLATILE),
    function("uuid_generate_v4", (), UUID, random_uuid, volatility=_VOLATILE),
    *(
        function(name, (), UUID, dated_uuid, volatility=_VOLATILE)
        for name in ("uuid_generate_v1", "uuid_generate_v1mc")
    ),
    function("gen_random_bytes", (INT4,), BYTEA, random_bytes, volatility=_VOLATILE, fallible=True),
    function("array_shuffle", (ANYARRAY,), first_type, _shuffle, volatility=_VOLATILE),
    function("array_sample", (ANYARRAY, INT4), first_type, array_sample, volatility=_VOLATILE, fallible=True),
    function(
        "timeofday",
        (),
        TEXT,
        time_of_day,
        volatility=_VOLATILE,
        session=(SessionName.CLOCK_TIME, SessionName.TIME_ZONE),
    ),
)
