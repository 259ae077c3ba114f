"""What an accumulation gives of each tick: for each key and time at which its sums changed, the old out, the new in."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.accumulate import accumulate_changes
from tests.compute.arrangement.scripts import (
    CanonicalRow,
    Script,
    Subject,
    Tick,
    Update,
    canonical,
    canonical_row,
    counted,
    insert,
    scripts,
    tight_limits,
)
from tests.draws import draws

_Sums = dict[CanonicalRow, tuple[int, ...]]


def _sums(updates: list[Update], until: int, width: int) -> _Sums:
    """By key: the count, then the sums; also those of keys that have come and gone."""
    sums: _Sums = {}
    for update in updates:
        if update.time < until:
            old = sums.get(canonical_row(update.key), (0,) * (1 + width))
            parts = (1, *update.row)
            sums[canonical_row(update.key)] = tuple(a + update.diff * b for a, b in zip(old, parts, strict=True))
    return sums


def _expected(updates: list[Update], tick: Tick, width: int) -> Counter[Hashable]:
    changes: Counter[Hashable] = Counter()
    nothing = (0,) * (1 + width)
    for time in range(tick.lower, tick.upper):
        before, after = _sums(updates, time, width), _sums(updates, time + 1, width)
        for key in after:
            old, new = before.get(key, nothing), after[key]
            if old != new:
                if old[0]:
                    changes[*key, *canonical_row(old), canonical(time)] -= 1
                if new[0]:
                    changes[*key, *canonical_row(new), canonical(time)] += 1
    return Counter({row: count for row, count in changes.items() if count})


def _step(script: Script, tick: Tick, start: bool, one_group: bool, arrangement: Arrangement) -> list[pa.Table]:
    weighted = [[replace(u, row=tuple(part * u.diff for part in u.row)) for u in chunk] for chunk in tick.chunks]
    insert(script, tick, weighted, arrangement)
    chunks = list(
        accumulate_changes(arrangement, tick.lower, one_group=one_group, start=start, chunk_rows=script.chunk_rows)
    )
    assert all(chunk.num_rows <= script.chunk_rows for chunk in chunks)
    return [chunk.drop_columns(["h"]) for chunk in chunks]


@given(script=st.integers(0, 2).flatmap(lambda sums: scripts(sums=sums, rows=False)))
@draws(150)
def test_accumulate(script: Script) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            changes = counted(subject.run(tick, partial(_step, script, tick, False, False)))
            assert changes == _expected(updates, tick, script.layout.sums)


@given(script=st.integers(0, 2).flatmap(lambda sums: scripts(sums=sums, rows=False, keyless=True)))
@draws(100)
def test_the_one_group_always_has_sums(script: Script) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(),
        Subject(Path(directory), script.layout) as subject,
    ):
        width = script.layout.sums
        updates: list[Update] = []
        answers: Counter[Hashable] = Counter()
        for tick in script.ticks:
            updates += tick.updates
            start = tick is script.ticks[0]
            chunks = subject.run(tick, partial(_step, script, tick, start, True))
            changes = counted(chunks)
            for time in range(tick.lower, tick.upper):
                for row, diff in changes.items():
                    assert isinstance(row, tuple)
                    if row[-1] == canonical(time):
                        answers[row[:-1]] += diff
                sums = _sums(updates, time + 1, width).get((), (0,) * (1 + width))
                assert {row: count for row, count in answers.items() if count} == {canonical_row(sums): 1}


def test_sums_beyond_int64_come_round() -> None:
    """Limbs are put together modulo 2^64 by whoever made them."""
    layout = Layout((), (), 1)
    arrangement = Arrangement(layout)
    rows = [[0, 0], [2**62, 2**62], [1, 2], [1, 1]]
    arrangement.insert(pa.table(rows, schema=layout.schema))
    chunks = [chunk.drop_columns(["h"]) for chunk in accumulate_changes(arrangement, 1)]
    assert counted(chunks) == counted(
        [pa.table({"n": [1, 1, 2], "a0": [2**62, 2**62, -(2**63)], "time": [1, 2, 2], "diff": [1, -1, 1]})]
    )
