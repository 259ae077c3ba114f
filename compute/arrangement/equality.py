"""Compares stored values: equal values are one, NULL equals NULL, NaN equals NaN, and 0.0 differs from -0.0."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from model.updates.consolidate import key_array, one_nan

Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]
_BITS = {pa.float32(): pa.uint32(), pa.float64(): pa.uint64()}


def flat(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Returns the column as one array."""
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [_none(column.type)])
    return column


def _none(type_: pa.DataType) -> pa.Array:
    return pa.array([], type_)


def ints(column: pa.Array | pa.ChunkedArray) -> Indices:
    """Returns an int64 column without NULLs as a numpy array, without a copy if the column is one array."""
    array: Indices = flat(column).to_numpy(zero_copy_only=True)
    return array


def equal_values(left: pa.Array, right: pa.Array) -> Mask:
    """Compares two arrays of one type and length, position by position."""
    if pa.types.is_nested(left.type):
        both = key_array(pa.concat_arrays([left, right]))
        left, right = both.slice(0, len(left)), both.slice(len(left))
    bits = _BITS.get(left.type)
    if bits is None:
        equal = pc.equal(left, right)
    else:
        equal = pc.equal(one_nan(left).view(bits), one_nan(right).view(bits))
    if left.null_count or right.null_count:
        equal = pc.or_(pc.fill_null(equal, False), pc.and_(left.is_null(), right.is_null()))
    mask: Mask = equal.to_numpy(zero_copy_only=False)
    return mask


def equal_rows(left: Sequence[pa.Array], right: Sequence[pa.Array], count: int) -> Mask:
    """Returns a mask of rows whose columns are all equal, for `count` rows on each side."""
    mask = np.ones(count, np.bool_)
    for one, other in zip(left, right, strict=True):
        mask &= equal_values(one, other)
    return mask


def row_codes(columns: Sequence[pa.Array], count: int) -> Indices:
    """Returns a number for each row, equal where the rows are."""
    codes = np.zeros(count, np.int64)
    for column in columns:
        encoded = one_nan(key_array(column)).dictionary_encode(null_encoding="encode")
        own = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        _, codes = np.unique(codes * (len(encoded.dictionary) + 1) + own, return_inverse=True)
    return codes
