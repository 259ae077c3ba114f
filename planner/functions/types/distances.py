"""Distances of vectors, many at once: each row's answer is the same, bit by bit, however many rows are asked together.

Sums run over one row's numbers, which lie side by side, and so in an order that hangs on their count alone; products of
matrices would not promise that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
"""Vectors as rows of a matrix, (rows, dimensions), or one number for each row."""
Distances = Callable[[Doubles, Doubles], Doubles]
"""Takes two matrices of as many rows, one of which may have a single one, and returns a number for each row."""

_SIGN = np.uint32(0x80000000)


def singles_of(held: Any, dimensions: int) -> npt.NDArray[np.float32]:
    """Returns the numbers of vectors, (rows, dimensions), whose held bytes follow each other in the buffer `held`."""
    bits = np.frombuffer(held, ">u4").astype(np.uint32).reshape(-1, dimensions)
    # All bits turn where the first is not set, else the first alone.
    turned = (bits.view(np.int32) >> 31).view(np.uint32)
    np.invert(turned, out=turned)
    np.bitwise_or(turned, _SIGN, out=turned)
    np.bitwise_xor(bits, turned, out=bits)
    return bits.view(np.float32)


def _summed(terms: Doubles) -> Doubles:
    total: Doubles = np.ascontiguousarray(terms).sum(axis=1)
    return total


def l2_distances(left: Doubles, right: Doubles) -> Doubles:
    distances: Doubles = np.sqrt(_summed(np.square(left - right)))
    return distances


def l1_distances(left: Doubles, right: Doubles) -> Doubles:
    return _summed(np.abs(left - right))


def inner_products(left: Doubles, right: Doubles) -> Doubles:
    return _summed(left * right)


def negative_inner_products(left: Doubles, right: Doubles) -> Doubles:
    return -inner_products(left, right)


def cosine_distances(left: Doubles, right: Doubles) -> Doubles:
    """Returns 1 less the cosines of the angles; NaN beside a vector of zeros."""
    lengths = np.sqrt(_summed(np.square(left)) * _summed(np.square(right)))
    with np.errstate(divide="ignore", invalid="ignore"):
        cosines = np.where(lengths == 0, np.nan, inner_products(left, right) / lengths)
    distances: Doubles = 1.0 - np.clip(cosines, -1.0, 1.0)
    return distances


DISTANCES: Final[Mapping[str, Distances]] = {
    "l2_distance": l2_distances,
    "l1_distance": l1_distances,
    "cosine_distance": cosine_distances,
    "vector_negative_inner_product": negative_inner_products,
    "inner_product": inner_products,
}
"""By the names of functions; each is the same for its arguments in the other order."""


_NAMES = {f"{word}{name}_vector_vector": name for name in DISTANCES for word in ("", "by_")}


def distance_name(key: str) -> str | None:
    """Returns the name of the distance that a row of the function table computes, by its key; None for others."""
    return _NAMES.get(key)
