"""The first rows of each version are those of the whole group at that time, and no more is read than they need."""

from __future__ import annotations

import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.prefixes import gather_prefixes
from tests.compute.arrangement.scripts import (
    CanonicalRow,
    Row,
    Script,
    Subject,
    Tick,
    Update,
    canonical_row,
    insert,
    order_of,
    scripts,
    tight_limits,
)
from tests.draws import draws

_Group = Counter[tuple[int, CanonicalRow]]


def _group(updates: list[Update], key: CanonicalRow, until: int) -> _Group:
    """How often a key has each row, with its place in the order, before the time `until`."""
    group: _Group = Counter()
    for update in updates:
        if update.time < until and canonical_row(update.key) == key:
            group[order_of(update.row), canonical_row(update.row)] += update.diff
    return Counter({row: count for row, count in group.items() if count})


def _first(group: _Group, first_rows: int) -> _Group:
    """The first rows, with all that are equal to the last of them in order."""
    passed = 0
    for order in sorted({order for order, _ in group}):
        passed += sum(count for (own, _), count in group.items() if own == order)
        if passed >= first_rows:
            return Counter({row: count for row, count in group.items() if row[0] <= order})
    return group


def _given(chunks: list[pa.Table], layout: Layout, key: CanonicalRow, time: int, lower: int) -> _Group:
    """The version of a key at a time, of those that were given."""
    group: _Group = Counter()
    for chunk in chunks:
        for values in chunk.to_pylist():
            began, ended = values["t"], values["u"]
            row: Row = tuple(values[name] for name in layout.value_names)
            here = (lower if began is None else began + 1) <= time < (ended + 1 if ended is not None else 2**62)
            if here and canonical_row(values[name] for name in layout.key_names) == key:
                group[order_of(row), canonical_row(row)] += values["diff"]
    return group


def _step(script: Script, tick: Tick, first_rows: int, arrangement: Arrangement) -> list[pa.Table]:
    insert(script, tick, tick.chunks, arrangement)
    return list(gather_prefixes(arrangement, first_rows, tick.lower, chunk_rows=script.chunk_rows))


def _valid(script: Script) -> Script:
    """The script without retractions of what is not there."""
    counts: Counter[Any] = Counter()
    ticks = []
    for tick in script.ticks:
        order = sorted(tick.updates, key=lambda update: update.time)
        kept = []
        for update in order:
            row = canonical_row(update.key), canonical_row(update.row)
            if counts[row] + update.diff >= 0:
                counts[row] += update.diff
                kept.append(update)
        chunks = (tuple(kept[::2]), tuple(kept[1::2]))
        ticks.append(Tick(tick.lower, tick.upper, chunks, tick.discarded_first, tick.compacted, tick.afterwards))
    return Script(script.layout, tuple(ticks), script.chunk_rows, script.hash_of)


@given(script=scripts(ordered=True), first_rows=st.integers(1, 4), colliding=st.booleans())
@draws(200)
def test_prefixes(script: Script, first_rows: int, colliding: bool) -> None:
    script = _valid(script)
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            chunks = subject.run(tick, partial(_step, script, tick, first_rows))
            for key in {canonical_row(update.key) for update in tick.updates}:
                _check(chunks, script.layout, updates, key, tick, first_rows)


def _check(
    chunks: list[pa.Table], layout: Layout, updates: list[Update], key: CanonicalRow, tick: Tick, first_rows: int
) -> None:
    times = range(tick.lower, tick.upper + 1)
    expected = [_first(_group(updates, key, time), first_rows) for time in times]
    found = [_first(_given(chunks, layout, key, time, tick.lower), first_rows) for time in times]
    if any(found):
        assert found == expected
    else:
        assert all(each == expected[0] for each in expected)


def test_what_is_read_grows_with_the_change_not_with_the_group() -> None:
    layout = Layout((), (pa.int64(),), ordered=True)
    arrangement = Arrangement(layout)
    rows = 200_000
    numbers, zeros = np.random.default_rng(0).permutation(rows), np.zeros(rows, np.int64)
    for part in np.array_split(numbers, 7):
        nothing = zeros[: len(part)]
        arrangement.insert(pa.table([nothing, part, part, nothing, nothing + 1], schema=layout.schema))
        arrangement.seal()
    for tick in range(1, 101):
        # The least one goes, so that in the end much is retracted before the first row that is there.
        arrangement.insert(pa.table([[0], [tick - 1], [tick - 1], [tick], [-1]], schema=layout.schema))
        read = arrangement.rows_read
        (versions,) = gather_prefixes(arrangement, 1, tick)
        assert arrangement.rows_read - read < 1500
        assert versions.filter(pa.array(np.asarray(versions.column("t").is_valid()))).column("c0").to_pylist() == [tick]
        arrangement.seal()
