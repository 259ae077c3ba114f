"""Versions of the groups that a tick touched: their rows as they were before it, and from each time of change on."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Hashable
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import Layout
from compute.kernels.versions import gather_versions
from tests.compute.arrangement.scripts import (
    CanonicalRow,
    Script,
    Subject,
    Tick,
    Update,
    canonical,
    canonical_row,
    contents,
    counted,
    insert,
    scripts,
    tight_limits,
)
from tests.draws import draws


def _group(updates: list[Update], key: CanonicalRow, until: int) -> Counter[CanonicalRow]:
    return Counter({row: count for (own, row), count in contents(updates, until).items() if own == key})


def _expected(updates: list[Update], tick: Tick) -> Counter[Hashable]:
    versions: Counter[Hashable] = Counter()
    for key in {canonical_row(update.key) for update in tick.updates}:
        times = [t for t in range(tick.lower, tick.upper) if _group(updates, key, t) != _group(updates, key, t + 1)]
        if not times:
            continue
        begins, ends = [None, *times], [*times, None]
        for begin, end in zip(begins, ends, strict=True):
            for row, count in _group(updates, key, tick.lower if begin is None else begin + 1).items():
                versions[*row, *key, canonical(begin), canonical(end)] = count
    return versions


def _step(script: Script, tick: Tick, arrangement: Arrangement) -> list[pa.Table]:
    insert(script, tick, tick.chunks, arrangement)
    chunks = list(gather_versions(arrangement, tick.lower, chunk_rows=script.chunk_rows))
    names = [*arrangement.layout.key_names, "t", "u"]
    versions = [{canonical_row(row.values()) for row in chunk.select(names).to_pylist()} for chunk in chunks]
    assert sum(map(len, versions)) == len(set().union(*versions)), "a version is divided"
    return chunks


@given(script=scripts(), colliding=st.booleans())
@draws(150)
def test_versions(script: Script, colliding: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            assert counted(subject.run(tick, partial(_step, script, tick))) == _expected(updates, tick)


@given(script=scripts(keyless=True))
@draws(60)
def test_versions_of_the_group_of_everything(script: Script) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            updates += tick.updates
            assert counted(subject.run(tick, partial(_step, script, tick))) == _expected(updates, tick)


def test_many_versions_of_a_large_group_come_in_chunks_of_whole_versions() -> None:
    layout = Layout((), (pa.int64(),))
    arrangement = Arrangement(layout)
    rows, times = 1000, 300
    zeros, ones = np.zeros(rows, np.int64), np.ones(rows, np.int64)
    arrangement.insert(pa.table([zeros, np.arange(rows), zeros, ones], schema=layout.schema))
    arrangement.seal()
    ends = np.arange(1, times + 1)
    arrangement.insert(pa.table([ends * 0, ends - 1, ends, ends * 0 - 1], schema=layout.schema))
    chunks = list(gather_versions(arrangement, 1, chunk_rows=5000))
    assert all(chunk.num_rows <= 5000 for chunk in chunks)
    counts = Counter(time for chunk in chunks for time in chunk.column("t").to_pylist())
    assert counts.pop(None) == rows
    assert counts == {time: rows - time for time in range(1, times + 1)}
