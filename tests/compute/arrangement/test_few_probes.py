"""A few probes are found in a block as many are, only sooner."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from compute.arrangement.batch import Block
from compute.arrangement.layout import HASH_COLUMN
from compute.arrangement.search import Probes, few_ranges, ranges


@pytest.mark.parametrize("rows", [1, 2, 5, 64, 4000])
def test_a_few_probes_find_what_many_do(rows: int) -> None:
    source = np.random.default_rng(rows)
    bounds = np.iinfo(np.int64)
    for _ in range(50):
        # Some hashes are there several times, as rows of one key are.
        hashes = np.sort(source.choice(source.integers(bounds.min, bounds.max, max(1, rows // 2)), rows))
        block = Block.of(pa.record_batch({HASH_COLUMN: pa.array(hashes)}))
        others = source.integers(bounds.min, bounds.max, 3)
        wanted = source.permutation(np.concatenate([source.choice(hashes, 4), others, hashes[:1], hashes[-1:]]))
        probes = Probes.of(wanted)
        few, many = few_ranges(block, probes.listed()), ranges(block, probes)
        assert sorted(zip(*(each.tolist() for each in few), strict=True)) == sorted(
            zip(*(each.tolist() for each in many), strict=True)
        )
        assert len(few[0]) >= 6


def test_who_asks_for_what_is_not_there_finds_nothing() -> None:
    block = Block.of(pa.record_batch({HASH_COLUMN: pa.array([-5, 3, 3, 9])}))
    for wanted in ([-6], [10], [4, -4]):
        probes = Probes.of(np.array(wanted, np.int64))
        assert [len(each) for each in few_ranges(block, probes.listed())] == [0, 0, 0]
        assert [len(each) for each in ranges(block, probes)] == [0, 0, 0]
