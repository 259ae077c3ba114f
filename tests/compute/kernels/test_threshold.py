"""A threshold gives each row as often as it is there on balance, at every time."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Hashable
from functools import partial
from pathlib import Path

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.threshold import threshold_changes
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


def _expected(updates: list[Update], tick: Tick) -> Counter[Hashable]:
    changes: Counter[Hashable] = Counter()
    for time in range(tick.lower, tick.upper):
        for (_, row), count in contents(updates, time + 1).items():
            changes[*row, canonical(time)] += max(count, 0)
        for (_, row), count in contents(updates, time).items():
            changes[*row, canonical(time)] -= max(count, 0)
    return Counter({row: count for row, count in changes.items() if count})


def _step(script: Script, tick: Tick, arrangement: Arrangement) -> list[pa.Table]:
    insert(script, tick, tick.chunks, arrangement)
    chunks = list(threshold_changes(arrangement, tick.lower, chunk_rows=script.chunk_rows))
    assert all(chunk.num_rows <= script.chunk_rows for chunk in chunks)
    return chunks


@given(script=scripts(key_is_row=True), colliding=st.booleans())
@draws(150)
def test_threshold(script: Script, colliding: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            assert counted(subject.run(tick, partial(_step, script, tick))) == _expected(updates, tick)


_Change = tuple[float, int, int]


@given(
    st.lists(
        st.lists(
            st.tuples(st.sampled_from([0.0, -0.0, 1.0]), st.integers(0, 2), st.sampled_from([1, 1, 2, -1, -2])),
            max_size=8,
        ),
        min_size=1,
        max_size=4,
    )
)
@draws(150)
def test_rows_that_are_equal_and_look_different_count_together(ticks: list[list[_Change]]) -> None:
    """As many come out as are there on balance, and each as often at most as it is there."""
    layout = Layout((pa.float64(),), (pa.float64(),))
    arrangement = Arrangement(layout)
    present: Counter[Hashable] = Counter()
    given_: Counter[Hashable] = Counter()
    for number, tick in enumerate(ticks):
        lower = number * 3
        columns = [
            [42 for _ in tick],
            [abs(value) for value, _, _ in tick],
            [value for value, _, _ in tick],
            [lower + time for _, time, _ in tick],
            [diff for _, _, diff in tick],
        ]
        arrangement.insert(
            pa.table([pa.array(c, f.type) for c, f in zip(columns, layout.schema)], schema=layout.schema)
        )
        out = counted(threshold_changes(arrangement, lower))
        arrangement.seal()
        for time in range(lower, lower + 3):
            for value, own_time, diff in tick:
                present[canonical(value)] += diff if lower + own_time == time else 0
            for row, diff in out.items():
                assert isinstance(row, tuple)
                given_[row[0]] += diff if row[1] == canonical(time) else 0
            _check(present, given_)


def _check(present: Counter[Hashable], given_: Counter[Hashable]) -> None:
    names = {canonical(0.0): "zero", canonical(-0.0): "zero", canonical(1.0): "one"}
    wanted: dict[str, int] = defaultdict(int)
    seen: dict[str, int] = defaultdict(int)
    for value, name in names.items():
        assert 0 <= given_[value] <= max(present[value], 0)
        wanted[name] += present[value]
        seen[name] += given_[value]
    assert seen == {name: max(count, 0) for name, count in wanted.items()}
