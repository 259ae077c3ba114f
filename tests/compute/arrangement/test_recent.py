"""A read of a whole arrangement gives what was sealed until its time, whatever was read before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch
from compute.arrangement.layout import Layout
from compute.arrangement.recent import Recent
from compute.arrangement.stream import merge_steps
from tests.compute.arrangement.scripts import canonical_row, counted, tight_limits
from tests.draws import draws

LAYOUT = Layout((pa.int64(),), (pa.int64(),))
_CHANGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from([1, 1, 1, -1])), max_size=4)
_READS = st.lists(st.integers(0, 12), max_size=3)


@given(
    ticks=st.lists(st.tuples(_CHANGES, _READS, st.integers(1, 3)), min_size=1, max_size=25),
    retained=st.integers(1, 12),
    lag=st.integers(0, 3),
    share=st.integers(0, 2),
)
@draws(150)
def test_reads_at_any_readable_times_in_any_order_are_what_was_sealed(
    ticks: list[tuple[list[tuple[int, int, int]], list[int], int]], retained: int, lag: int, share: int
) -> None:
    with tight_limits(), pytest.MonkeyPatch.context() as patch:
        for name, value in (("ROWS_MIN", 1), ("LAG", lag), ("SHARE", share)):
            patch.setattr(f"compute.arrangement.recent.{name}", value)
        arrangement = Arrangement(LAYOUT)
        updates: list[tuple[int, int, int, int]] = []
        upper = 0
        for changes, reads, step in ticks:
            # Of a tick, half come at its first time, half at its last.
            new = [(*each, upper if i % 2 else upper + step - 1) for i, each in enumerate(changes)]
            columns = [[update[i] for update in new] for i in (0, 0, 1, 3, 2)]
            arrangement.insert(pa.table([pa.array(each, pa.int64()) for each in columns], schema=LAYOUT.schema))
            arrangement.seal()
            updates += new
            upper += step
            since = max(0, upper - retained)
            arrangement.allow_compaction(since)
            for back in reads:
                as_of = max(since, upper - back)
                assert counted(arrangement.rows(as_of, chunk_rows=2)) == _expected(updates, as_of)


def _expected(updates: list[tuple[int, int, int, int]], as_of: int) -> Counter[Hashable]:
    counts: Counter[Hashable] = Counter()
    for key, value, diff, time in updates:
        if time <= as_of:
            counts[canonical_row((key, value))] += diff
    return Counter({row: count for row, count in counts.items() if count})


_KEYS = 10


def _counting_up(arrangement: Arrangement, times: Iterator[int] | range) -> None:
    """At each time the rows (k, time - 1) go and (k, time) come, for each of the keys."""
    keys = np.tile(np.arange(_KEYS), 2)
    for time in times:
        values = np.repeat([time - 1, time], _KEYS)
        diffs = np.repeat([-1, 1], _KEYS)
        table = pa.table([keys, keys, values, np.full(2 * _KEYS, time), diffs], schema=LAYOUT.schema)
        arrangement.insert(table.slice(_KEYS) if time == 0 else table)
        arrangement.seal()


def _read(arrangement: Arrangement, as_of: int) -> list[tuple[int, int]]:
    rows = [row for chunk in arrangement.rows(as_of) for row in chunk.to_pylist()]
    assert all(row["diff"] == 1 for row in rows)
    return sorted((row["k0"], row["c0"]) for row in rows)


def _held(as_of: int) -> list[tuple[int, int]]:
    return [(key, as_of) for key in range(_KEYS)]


def test_what_a_read_passes_over_does_not_grow_with_the_history(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[int] = []

    def counted_steps(
        batches: Sequence[ArrangementBatch], *args: Any, **named: Any
    ) -> Iterator[tuple[int, pa.RecordBatch]]:
        passed[-1] += sum(batch.rows for batch in batches)
        return merge_steps(batches, *args, **named)

    monkeypatch.setattr("compute.arrangement.stream.merge_steps", counted_steps)
    monkeypatch.setattr("compute.arrangement.recent.LAG", 5)
    arrangement = Arrangement(LAYOUT)
    costs: list[int] = []
    for time in range(1000):
        _counting_up(arrangement, range(time, time + 1))
        passed.append(0)
        assert _read(arrangement, time) == _held(time)
        costs.append(passed[-1])
    assert arrangement.size.rows == 19_990
    assert max(costs[-500:]) <= 10 * _KEYS * 5, "the last reads go over what is there and the last changes"
    assert _read(arrangement, 17) == _held(17)
    assert _read(arrangement, 999) == _held(999)


def test_what_is_sealed_while_a_read_gathers_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compute.arrangement.recent.LAG", 0)
    arrangement = Arrangement(LAYOUT)
    _counting_up(arrangement, range(500))
    build = Recent.build

    def interrupted(*args: Any) -> ArrangementBatch | None:
        built = build(*args)
        _counting_up(arrangement, range(500, 503))
        return built

    with monkeypatch.context() as patch:
        patch.setattr(Recent, "build", interrupted)
        assert _read(arrangement, 499) == _held(499)
    assert [_read(arrangement, time) for time in (502, 501, 500)] == [_held(502), _held(501), _held(500)]


def test_what_nobody_reads_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compute.arrangement.recent.LAG", 0)
    arrangement = Arrangement(LAYOUT)
    _counting_up(arrangement, range(500))
    before = arrangement.size.bytes
    assert _read(arrangement, 499) == _held(499)
    assert before < arrangement.size.bytes < 1.1 * before
    _counting_up(arrangement, range(500, 1500))
    assert arrangement.size.bytes == sum(batch.bytes for batch in arrangement.batches)
    assert _read(arrangement, 1499) == _held(1499)


def test_a_read_that_fails_leaves_the_next_one_free_to_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    arrangement = Arrangement(LAYOUT)
    _counting_up(arrangement, range(500))

    def failing(*_: object) -> ArrangementBatch | None:
        raise OSError("no such file")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="no such file"):
        patch.setattr(Recent, "build", failing)
        _read(arrangement, 499)
    before = arrangement.size.bytes
    assert _read(arrangement, 499) == _held(499)
    assert arrangement.size.bytes >= before
