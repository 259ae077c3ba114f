"""Stored values are one where their canonical forms are, wherever in an array they lie; so are their hashes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from compute.arrangement.equality import equal_values, row_codes
from storage.persist.row_hash import row_hash
from tests.compute.arrangement.scripts import POOLS, canonical

_CASES = [
    *POOLS,
    (pa.float64(), [0.0, -0.0, 1.0]),
    (pa.large_string(), [None, "", "a", "abcdefgh", "abcdefghi", "abcdefgh\0"]),
    (pa.list_(pa.string()), [None, [], [""], ["", ""], ["ab"], ["a", "b"], [None]]),
    (pa.list_(pa.list_(pa.int32())), [[[1], [2]], [[1, 2]], [[1, 2], []], [[], [1, 2]], None, [None]]),
    (pa.struct([]), [{}, None]),
]
_IDS = [str(type_) for type_, _ in _CASES]


def _pairs(type_: pa.DataType, values: list[Any]) -> tuple[pa.Array, pa.Array, list[bool]]:
    """Each value beside each, in slices of larger arrays."""
    left = [a for a in values for _ in values]
    right = [b for _ in values for b in values]
    arrays = [pa.array([*values, *column, *values], type_).slice(len(values), len(column)) for column in (left, right)]
    return *arrays, [canonical(a) == canonical(b) for a, b in zip(left, right)]


@pytest.mark.parametrize(("type_", "values"), _CASES, ids=_IDS)
def test_values_are_equal_where_their_canonical_forms_are(type_: pa.DataType, values: list[Any]) -> None:
    left, right, expected = _pairs(type_, values)
    assert equal_values(left, right).tolist() == expected


@pytest.mark.parametrize(("type_", "values"), _CASES, ids=_IDS)
def test_hashes_are_equal_where_values_are(type_: pa.DataType, values: list[Any]) -> None:
    left, right, expected = _pairs(type_, values)
    hashes = [row_hash([array], len(array)) for array in (left, right)]
    assert (hashes[0] == hashes[1]).tolist() == expected


@pytest.mark.parametrize(("type_", "values"), _CASES, ids=_IDS)
def test_codes_are_equal_where_rows_are(type_: pa.DataType, values: list[Any]) -> None:
    distinct = {canonical(value): value for value in values}
    array = pa.array([*distinct.values(), *reversed(distinct.values())], type_)
    codes = row_codes([array, array], len(array)).tolist()
    assert codes[: len(distinct)] == codes[len(distinct) :][::-1]
    assert len(set(codes)) == len(distinct)


def test_the_order_of_columns_counts() -> None:
    one, two = pa.array(["a", "b"]), pa.array(["b", "a"])
    assert (row_hash([one, two], 2) != row_hash([two, one], 2)).all()


def test_hashes_spread() -> None:
    numbers = np.arange(100_000)
    for array in (pa.array(numbers), pa.array(numbers.astype(str)), pa.array(numbers.astype(np.float64))):
        hashes = row_hash([array], len(array))
        assert len(np.unique(hashes)) == len(numbers)
        assert np.bincount((hashes >> 54) + 512, minlength=1024).max() < 200


def test_the_hash_of_a_row_is_for_ever() -> None:
    """Batches in files are sorted by it."""
    columns = [pa.array([1, None]), pa.array(["text", "a longer text"]), pa.array([[1.5], []])]
    assert row_hash(columns, 2).tolist() == [-3273119679089273332, 1739711504955420531]
