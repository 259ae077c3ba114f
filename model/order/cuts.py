"""The bounds of ranges as places on a line, in an order.

    [a    before a        a]    behind a
    (a    behind a        a)    before a

No lower bound lies before everything, no upper bound behind everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.types.datum import Range

CutKey = tuple[Any, ...]
"""(0, the value's key, whether behind it), or one of the two ends."""
FIRST: CutKey = (-1,)
LAST: CutKey = (1,)
KeyFunction = Callable[[Any], Any]


def lower_key(range_: Range, key: KeyFunction) -> CutKey:
    """Returns the key of the begin of a range that is not empty; `key` orders its bounds' values."""
    return FIRST if range_.lower is None else (0, key(range_.lower), not range_.lower_included)


def upper_key(range_: Range, key: KeyFunction) -> CutKey:
    """Returns the key of the end of a range that is not empty."""
    return LAST if range_.upper is None else (0, key(range_.upper), range_.upper_included)


def range_key(key: KeyFunction) -> Callable[[Range], tuple[CutKey, ...]]:
    """Returns the key of ranges: the empty one first, then by begin, then by end."""
    return lambda range_: () if range_.empty else (lower_key(range_, key), upper_key(range_, key))
