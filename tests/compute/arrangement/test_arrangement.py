"""An arrangement holds what was sealed into it, however it is batched, merged, compacted and found again."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.equality import Indices
from compute.arrangement.layout import Layout
from compute.arrangement.search import expanded
from compute.arrangement.stream import merge_steps
from tests.compute.arrangement.scripts import (
    Key,
    Script,
    Subject,
    Tick,
    Update,
    canonical,
    canonical_row,
    contents,
    counted,
    insert,
    keyed_table,
    scripts,
    tight_limits,
)
from tests.draws import draws


@given(script=scripts(), colliding=st.booleans())
@draws(100)
def test_contents_at_every_time_are_what_was_sealed(script: Script, colliding: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        updates: list[Update] = []
        for tick in script.ticks:
            subject.run(tick, partial(_inserted, script, tick))
            updates += tick.updates
            readable = range(tick.lower, tick.upper) if tick.compacted else range(tick.upper - 1, tick.upper)
            for as_of in readable:
                chunks = list(subject.arrangements[0].rows(as_of, chunk_rows=script.chunk_rows))
                expected = Counter({(*key, *row): n for (key, row), n in contents(updates, as_of + 1).items()})
                assert counted(chunks) == expected
                assert sum(chunk.num_rows for chunk in chunks) == len(expected), "rows are not consolidated"


def _inserted(script: Script, tick: Tick, arrangement: Arrangement) -> list[pa.Table]:
    insert(script, tick, tick.chunks, arrangement)
    return []


@given(script=scripts(), colliding=st.booleans(), data=st.data())
@draws(100)
def test_lookups_find_all_updates_of_their_keys_and_no_others(
    script: Script, colliding: bool, data: st.DataObject
) -> None:
    with (
        tempfile.TemporaryDirectory() as directory,
        tight_limits(colliding_rows=colliding),
        Subject(Path(directory), script.layout) as subject,
    ):
        before: list[Update] = []
        known = [update.key for tick in script.ticks for update in tick.updates]
        for tick in script.ticks:
            keys = data.draw(st.lists(st.sampled_from(known), max_size=5)) if known else []
            subject.run(tick, partial(_looked_up, script, tick, keys, before))
            before += tick.updates


def _looked_up(
    script: Script, tick: Tick, keys: list[Key], before: list[Update], arrangement: Arrangement
) -> list[pa.Table]:
    _inserted(script, tick, arrangement)
    probes = keyed_table(script, Layout(script.layout.key, ()), [Update(key, (), 0, 0) for key in keys])
    for provisional, updates in ((False, before), (True, before + tick.updates)):
        found = arrangement.lookup(probes, provisional=provisional)
        assert found.rows.schema == script.layout.schema
        assert _by_probe(found.probe, found.rows) == _expected(keys, updates, tick.upper)
    return []


def _by_probe(probe: Indices, rows: pa.Table) -> Counter[Hashable]:
    table = rows.drop_columns(["h", "time"])
    with_probe = table.add_column(0, "probe", pa.array(probe))
    return counted([with_probe] if with_probe.num_rows else [])


def _expected(keys: list[Key], updates: Iterable[Update], upper: int) -> Counter[Hashable]:
    wanted: Counter[Hashable] = Counter()
    for probe, key in enumerate(keys):
        for (own, row), count in contents(updates, upper).items():
            if own == canonical_row(key):
                wanted[canonical(probe), *own, *row] += count
    return wanted


@given(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 9)), max_size=9), st.integers(1, 12))
def test_expanded_ranges_are_the_ranges(ranges: list[tuple[int, int]], chunk_rows: int) -> None:
    low = np.array([first for first, _ in ranges], np.int64)
    count = np.array([length for _, length in ranges], np.int64)
    chunks = list(expanded(np.arange(len(ranges)), low, count, chunk_rows))
    assert all(0 < len(places) <= chunk_rows for places, _ in chunks)
    pairs = [pair for places, rows in chunks for pair in zip(places.tolist(), rows.tolist())]
    assert pairs == [(i, first + j) for i, (first, length) in enumerate(ranges) for j in range(length)]


def test_a_skewed_key_is_found_in_chunks() -> None:
    layout = Layout((pa.int64(),), (pa.int64(),))
    arrangement = Arrangement(layout)
    rows = 10_000
    arrangement.insert(_numbers(layout, rows, key=7))
    arrangement.seal()
    probes = pa.table({"h": [7, 7], "k0": [7, 7]})
    chunks = list(arrangement.find(probes, provisional=False, chunk_rows=999))
    assert all(len(chunk.probe) <= 999 for chunk in chunks)
    assert sum(len(chunk.probe) for chunk in chunks) == 2 * rows


def _numbers(layout: Layout, rows: int, key: int | None = None, first: int = 0, time: int = 0) -> pa.Table:
    numbers = np.arange(first, first + rows)
    keys = numbers if key is None else np.full(rows, key)
    ones = np.ones(rows, np.int64)
    return pa.table([keys, keys, numbers, ones * time, ones], schema=layout.schema)


def test_batches_stay_few_and_no_tick_merges_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is 2 log2 of the number of ticks; the work of one is a multiple of what it inserts."""
    passed: list[int] = []
    monkeypatch.setattr("compute.arrangement.merge._STEP_ROWS_MIN", 64)
    monkeypatch.setattr("compute.arrangement.spine._WORK_PER_INSERT", 64)
    monkeypatch.setattr("compute.arrangement.merge.merge_steps", _counting(passed))
    layout = Layout((pa.int64(),), (pa.int64(),))
    arrangement = Arrangement(layout)
    most_batches = 0
    ticks, rows = 1000, 20
    for tick in range(ticks):
        arrangement.insert(_numbers(layout, rows, first=tick * rows))
        passed.append(0)
        arrangement.seal()
        most_batches = max(most_batches, arrangement.size.batches)
    assert arrangement.size.rows == ticks * rows
    assert most_batches <= 20
    assert max(passed) <= 8 * (8 * rows + 2 * 64)
    assert sum(passed) <= 2 * 10 * ticks * rows


def _counting(passed: list[int]) -> Callable[..., Iterator[tuple[int, pa.RecordBatch]]]:
    def counted_steps(*args: Any, **named: Any) -> Iterator[tuple[int, pa.RecordBatch]]:
        for count, chunk in merge_steps(*args, **named):
            passed[-1] += count
            yield count, chunk

    return counted_steps


def test_what_is_compacted_vanishes() -> None:
    layout = Layout((pa.int64(),), (pa.int64(),))
    arrangement = Arrangement(layout)
    for tick in range(50):
        arrangement.allow_compaction(tick - 1)
        rows = _numbers(layout, 100, time=tick)
        sign = pa.array(np.full(100, 1 if tick % 2 == 0 else -1))
        arrangement.insert(rows.set_column(4, "diff", sign))
        arrangement.seal()
    assert arrangement.size.rows <= 600, "50 × 100 updates came in, and 0 rows are left"


def test_a_table_of_other_columns_is_refused() -> None:
    arrangement = Arrangement(Layout((pa.int64(),), ()))
    with pytest.raises(AssertionError, match="expected"):
        arrangement.insert(pa.table({"h": [1]}))
