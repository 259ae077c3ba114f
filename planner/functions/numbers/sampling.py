"""Which rows TABLESAMPLE takes: each by chance, or with REPEATABLE by the row's version and the seed."""

from __future__ import annotations

import hashlib
import struct

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.scalar_type import BOOL, FLOAT4, FLOAT8, XID
from planner.functions.numbers.random_values import random_fraction
from planner.functions.rows import syntax
from planner.functions.signature import Function, Volatility

_ROW = struct.Struct("<dQ")


def _share(percent: float | None) -> float:
    if percent is None:
        raise SqlError(Sqlstate.INVALID_TABLESAMPLE_ARGUMENT, "TABLESAMPLE parameter cannot be null")
    if not 0 <= percent <= 100:
        raise SqlError(Sqlstate.INVALID_TABLESAMPLE_ARGUMENT, "sample percentage must be between 0 and 100")
    return percent / 100


def _taken(percent: float | None) -> bool:
    return random_fraction() < _share(percent)


def _refused(percent: float | None, seed: float | None) -> bool:
    """Returns False for good arguments. Raises SqlError 2202H, 2202G for others."""
    _share(percent)
    _seed(seed)
    return False


def _seed(seed: float | None) -> float:
    if seed is None:
        raise SqlError(Sqlstate.INVALID_TABLESAMPLE_REPEAT, "TABLESAMPLE REPEATABLE parameter cannot be null")
    return seed + 0.0


def _taken_again(percent: float | None, seed: float | None, version: int | None) -> bool:
    share, start = _share(percent), _seed(seed)
    if version is None:
        return False
    digest = hashlib.blake2b(_ROW.pack(start, version), digest_size=6).digest()
    return int.from_bytes(digest) / 2**48 < share


SAMPLED = syntax("sampled", (FLOAT4,), BOOL, _taken, strict=False, fallible=True, volatility=Volatility.VOLATILE)
SAMPLED_AGAIN = syntax("sampled", (FLOAT4, FLOAT8, XID), BOOL, _taken_again, strict=False, fallible=True)
REFUSED = syntax("sample_refused", (FLOAT4, FLOAT8), BOOL, _refused, strict=False, fallible=True)
FUNCTIONS: tuple[Function, ...] = (SAMPLED, SAMPLED_AGAIN, REFUSED)
