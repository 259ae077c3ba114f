"""Ranges that hold the distances of vectors to one vector, as the functions compute them in doubles: found in singles,
all at once.

A product of two vectors of n singles, added up in any order, is off by at most g·|a|·|b|, where g = n·u/(1 - n·u) and
u is half the distance of 1 to the next single (N. Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and by
what underflows. The ranges are wider by far more than the functions' own doubles are off. Where singles overflow, a
range holds every number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from compute.neighbours.matrices import VectorMatrix
from planner.functions.types.distances import Doubles

Singles = npt.NDArray[np.float32]
DistanceRanges = tuple[Doubles, Doubles]
"""The least and the greatest value that each distance may have."""

_SINGLE, _DOUBLE = 2.0**-24, 2.0**-53
_LEAST_NORMAL = 2.0**-126
_AT_ONCE_BYTES = 1 << 18


def distance_ranges(distance: str, matrix: VectorMatrix, to: Singles) -> DistanceRanges:
    """Returns the ranges of the vectors' distances to `to`, which has the same dimensions; NaN counts as infinite.
    `distance` is one of DISTANCES."""
    with np.errstate(all="ignore"):
        if distance == "l1_distance":
            low, high = _of_sums(matrix, to)
        else:
            low, high = _of_products(distance, matrix, to)
        unknown = ~(np.isfinite(low) & np.isfinite(high))
        if distance == "cosine_distance":
            # There is no angle to a vector of zeros.
            none = (matrix.squares == 0) | (not to.any())
            low[none], unknown = np.inf, unknown & ~none
            high[none] = np.inf
        low[unknown], high[unknown] = -np.inf, np.inf
        return low, high


def _of_products(distance: str, matrix: VectorMatrix, to: Singles) -> DistanceRanges:
    count, doubles = len(to), to.astype(np.float64)
    square = float(doubles @ doubles)
    products = (matrix.numbers @ to).astype(np.float64)
    products[~np.isfinite(products)] = np.nan
    lengths = np.sqrt(matrix.squares * square)
    slack = 16 * (count + 16) * _DOUBLE
    off = _share(count) * lengths + 2 * count * _LEAST_NORMAL
    match distance:
        case "l2_distance":
            both = matrix.squares + square
            squares, off = both - 2 * products, 2 * off + slack * both
            return np.sqrt(np.maximum(squares - off, 0)), np.sqrt(np.maximum(squares + off, 0))
        case "cosine_distance":
            cosines, off = products / lengths, off / lengths + slack
            return 1 - np.minimum(cosines + off, 1), 1 - np.maximum(cosines - off, -1)
        case "inner_product":
            off += slack * lengths
            return products - off, products + off
        case _:
            off += slack * lengths
            return -products - off, -products + off


def _of_sums(matrix: VectorMatrix, to: Singles) -> DistanceRanges:
    sums = np.empty(len(matrix.numbers))
    rows = max(1, _AT_ONCE_BYTES // to.nbytes)
    for first in range(0, len(sums), rows):
        apart = matrix.numbers[first : first + rows] - to
        np.abs(apart, out=apart)
        apart.sum(axis=1, out=sums[first : first + rows], dtype=np.float32)
    off = 2 * _share(len(to) + 1) * sums + 2 * len(to) * _LEAST_NORMAL
    return sums - off, sums + off


def _share(count: int) -> float:
    """Returns how far a sum of so many products of singles may be off, as a share of the lengths' product."""
    return count * _SINGLE / (1 - count * _SINGLE)
