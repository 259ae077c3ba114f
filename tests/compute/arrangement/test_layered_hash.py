"""Keys that begin alike have hashes that begin alike, and whole keys are told apart."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from storage.persist.row_hash import layer_bits, layered_hash, row_hash

_ROWS = 4_096


def _key(width: int) -> list[pa.Array]:
    """16 values of the first column, 16 of the second under each, and so on."""
    numbers = np.arange(_ROWS)
    return [pa.array(numbers >> (4 * i) & 15) for i in range(width - 1)] + [pa.array(numbers)]


@pytest.mark.parametrize("width", [1, 2, 3, 4, 40])
def test_the_first_bits_are_those_of_how_the_key_begins(width: int) -> None:
    columns = _key(width)
    whole = layered_hash(columns, _ROWS, width).view(np.uint64)
    for parts in range(1, width):
        below = np.uint64(64 - layer_bits(width)[parts - 1])
        begins = layered_hash(columns[:parts], _ROWS, width).view(np.uint64)
        assert (begins & ((np.uint64(1) << below) - np.uint64(1)) == 0).all()
        assert (whole >> below == begins >> below).all()


@pytest.mark.parametrize("width", [1, 2, 3, 8])
def test_different_keys_have_different_hashes(width: int) -> None:
    assert layer_bits(width)[-1] == 64
    assert len(np.unique(layered_hash(_key(width), _ROWS, width))) == _ROWS


def test_a_key_of_one_column_has_the_hash_of_a_row() -> None:
    assert (layered_hash(_key(1), _ROWS, 1) == row_hash(_key(1), _ROWS)).all()
