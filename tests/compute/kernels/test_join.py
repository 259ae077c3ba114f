"""What a join gives of each tick is the difference of the joins of what was there before and after each time of it."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.join import join_changes
from tests.compute.arrangement.scripts import (
    Script,
    Subject,
    Tick,
    Update,
    canonical,
    contents,
    counted,
    insert,
    scripts,
    tight_limits,
)
from tests.draws import draws


def _sides(tick: Tick) -> tuple[list[tuple[Update, ...]], list[tuple[Update, ...]]]:
    """Every other chunk goes to the left."""
    return list(tick.chunks[::2]), list(tick.chunks[1::2])


def _joined(left: Iterable[Update], right: Iterable[Update], until: int) -> Counter[tuple[Hashable, ...]]:
    pairs: Counter[tuple[Hashable, ...]] = Counter()
    for (left_key, left_row), left_count in contents(left, until).items():
        for (right_key, right_row), right_count in contents(right, until).items():
            if left_key == right_key and canonical(None) not in left_key:
                pairs[*left_row, *right_row] += left_count * right_count
    return pairs


def _expected(left: list[Update], right: list[Update], tick: Tick) -> Counter[Hashable]:
    changes: Counter[Hashable] = Counter()
    for time in range(tick.lower, tick.upper):
        before, after = _joined(left, right, time), _joined(left, right, time + 1)
        for row in {*before, *after}:
            if after[row] != before[row]:
                changes[*row, canonical(time)] = after[row] - before[row]
    return changes


def _step(script: Script, tick: Tick, left: Arrangement, right: Arrangement) -> list[pa.Table]:
    for arrangement, side in zip((left, right), _sides(tick)):
        insert(script, tick, side, arrangement)
    chunks = list(join_changes(left, right, chunk_rows=script.chunk_rows))
    assert all(chunk.num_rows <= script.chunk_rows for chunk in chunks)
    return chunks


@given(script=scripts(), colliding=st.booleans())
@draws(100)
def test_join(script: Script, colliding: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout, script.layout) as subject,
    ):
        left: list[Update] = []
        right: list[Update] = []
        for tick in script.ticks:
            left_chunks, right_chunks = _sides(tick)
            left += (update for chunk in left_chunks for update in chunk)
            right += (update for chunk in right_chunks for update in chunk)
            assert counted(subject.run(tick, partial(_step, script, tick))) == _expected(left, right, tick)


def _self_step(script: Script, tick: Tick, arrangement: Arrangement) -> list[pa.Table]:
    insert(script, tick, tick.chunks, arrangement)
    chunks = list(join_changes(arrangement, arrangement, chunk_rows=script.chunk_rows))
    again = list(join_changes(arrangement, arrangement, chunk_rows=script.chunk_rows))
    assert counted(chunks) == counted(again), "a second step over the same arrangement sees the same tick"
    return chunks


@given(script=scripts())
@draws(60)
def test_join_with_itself(script: Script) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            changes = counted(subject.run(tick, partial(_self_step, script, tick)))
            assert changes == _expected(updates, updates, tick)


def test_one_row_that_matches_a_million_comes_in_chunks() -> None:
    layout = Layout((pa.int64(),), (pa.int64(),))
    left, right = Arrangement(layout), Arrangement(layout)
    rows = 300_000
    zeros, ones = np.zeros(rows, np.int64), np.ones(rows, np.int64)
    many = pa.table([zeros, zeros, np.arange(rows), ones, ones], schema=layout.schema)
    left.insert(many)
    left.seal()
    one = pa.table([[0, 0], [0, 0], [1, 2], [5, 6], [1, 1]], schema=layout.schema)
    right.insert(one)
    total = 0
    for chunk in join_changes(left, right, chunk_rows=1000):
        assert chunk.num_rows <= 1000
        total += chunk.num_rows
    assert total == 2 * rows
