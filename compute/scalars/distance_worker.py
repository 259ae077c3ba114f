"""Distances of vectors in Spark's Python workers: a batch at once, in place of a call for each row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from compute.scalars.python_worker import error_text
from planner.functions.types.distances import DISTANCES, Doubles, singles_of
from planner.functions.types.embeddings import different_dimensions

_AT_ONCE_BYTES = 1 << 19


@dataclass(frozen=True, slots=True)
class DistanceWorker:
    """Computes a distance, by its name in DISTANCES, of two columns of vectors; NULL beside a NULL."""

    distance: str

    def __call__(self, left: pa.Array, right: pa.Array) -> pa.Array:
        both = pc.and_(left.is_valid(), right.is_valid()).to_numpy(zero_copy_only=False)
        lengths, others = _lengths(left), _lengths(right)
        values, errors = np.zeros(len(left)), np.full(len(left), None, object)
        for row in np.flatnonzero(both & (lengths != others)):
            errors[row] = error_text(different_dimensions(left[row].as_py(), right[row].as_py()))
        computed = both & (lengths == others)
        for length in np.unique(lengths[computed]):
            rows = np.flatnonzero(computed & (lengths == length))
            at_once = max(1, _AT_ONCE_BYTES // int(length))
            for some in (rows[first : first + at_once] for first in range(0, len(rows), at_once)):
                place = pa.array(some)
                values[some] = DISTANCES[self.distance](_numbers(left.take(place)), _numbers(right.take(place)))
        held = pa.array(values, pa.float64(), mask=~computed)
        return pa.StructArray.from_arrays([held, pa.array(errors, pa.string())], names=["value", "err"])


def _lengths(column: pa.Array) -> npt.NDArray[np.int64]:
    """Returns how many bytes each value has; 0 for NULL."""
    lengths: npt.NDArray[np.int64] = pc.fill_null(pc.binary_length(column), 0).to_numpy().astype(np.int64)
    return lengths


def _numbers(column: pa.Array) -> Doubles:
    """Returns vectors of as many dimensions, at least one, as doubles: a single one where all are equal, as constants
    are."""
    first = column[0]
    if pc.all(pc.equal(column, first)).as_py():
        column = column[:1]
    length = len(first.as_py())
    # What was taken, or sliced from it, begins where its first value does.
    held = memoryview(column.buffers()[2])[: len(column) * length]
    return singles_of(held, length // 4).astype(np.float64)
