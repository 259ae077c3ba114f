"""Counts by hash are the sums of what was added, wherever they lie."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from storage.persist import hash_counts
from storage.persist.hash_counts import HashCounts


def _numbers(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, np.int64)


@pytest.mark.parametrize("held_max", (0, 3, 1_000), ids=("files", "some files", "memory"))
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("recent_max", (0, 5, 1_000), ids=("none recent", "few recent", "all recent"))
def test_counts_are_the_sums_of_what_was_added(
    seed: int, held_max: int, recent_max: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hash_counts, "RECENT_MAX", recent_max)
    draw = random.Random(seed)
    hashes = [-(1 << 63), -1, 0, 1, (1 << 63) - 1, *(draw.randrange(-(1 << 63), 1 << 63) for _ in range(40))]
    counts, expected = HashCounts(tmp_path, held_max, range_rows=4), Counter[int]()
    for _ in range(draw.randrange(30)):
        added = [(draw.choice(hashes), draw.choice((-2, -1, 1, 2))) for _ in range(draw.randrange(12))]
        if draw.random() < 0.2:
            added = [(hash_, -count) for hash_, count in expected.items()]
        counts.add(_numbers([hash_ for hash_, _ in added]), _numbers([count for _, count in added]))
        for hash_, count in added:
            expected[hash_] += count
        asked = draw.sample(hashes, 7)
        assert counts.of(_numbers(asked)).tolist() == [expected[hash_] for hash_ in asked]
    told = [pair for found in counts.ranges() for pair in zip(*map(np.ndarray.tolist, found), strict=True)]
    assert told == sorted((hash_, count) for hash_, count in expected.items() if count)
    assert counts.held <= held_max * 2 + recent_max and len(told) <= counts.size


def test_many_rows_take_neither_memory_nor_descriptors(tmp_path: Path) -> None:
    draw, counts, before = np.random.default_rng(1), HashCounts(tmp_path), len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        hashes = draw.integers(-(1 << 63), (1 << 63) - 1, 20_000)
        counts.add(hashes, np.ones(len(hashes), np.int64))
    assert counts.size == 400_000 and counts.held <= 1 << 14
    assert len(os.listdir("/proc/self/fd")) == before and not list(tmp_path.iterdir())
    assert counts.of(hashes).tolist() == [1] * len(hashes)


def test_what_comes_and_goes_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hash_counts, "RECENT_MAX", 50)
    counts = HashCounts(tmp_path, held_max=10)
    for start in range(0, 20_000, 20):
        counts.add(np.arange(start, start + 20), np.ones(20, np.int64))
        counts.add(np.arange(start - 20, start), -np.ones(20, np.int64))
        assert counts.size <= 300
