"""Rows that a cursor keeps: whatever the memory, they come back as they were."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Sequence
from contextlib import closing

from hypothesis import given
from hypothesis import strategies as st

from model.types.datum import Inet, Interval, Row
from server.cursors.kept_rows import KEPT_BYTES_MAX, PAGE_ROWS, KeptMemory, KeptRows
from storage.persist.runner import InlineRunner

_VALUES: Sequence[object] = (
    None,
    1,
    "text",
    b"\0",
    decimal.Decimal("1.50"),
    datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
    Interval(1, 2, 3),
    Inet(4, 0, 32, 0),
    (1, (2, None)),
)


def _row(number: int) -> Row:
    return (number, _VALUES[number % len(_VALUES)])  # type: ignore[return-value]


@given(st.lists(st.integers(0, 3 * PAGE_ROWS), max_size=8), st.sampled_from((0, 4000, KEPT_BYTES_MAX)), st.data())
async def test_rows_come_back_by_their_numbers(sizes: list[int], bytes_max: int, data: st.DataObject) -> None:
    with closing(KeptRows(InlineRunner(), bytes_max)) as kept:
        model: list[Row] = []
        forgotten = 0
        for size in sizes:
            rows = [_row(len(model) + at) for at in range(size)]
            model.extend(rows)
            await kept.append(rows)
            assert kept.count == len(model) and kept.memory_bytes <= bytes_max
            forgotten = data.draw(st.integers(forgotten, len(model)))
            kept.forget_before(forgotten + 1)
            first = data.draw(st.integers(forgotten + 1, len(model) + 1))
            last = data.draw(st.integers(first - 1, len(model)))
            assert await kept.slice(first, last) == model[first - 1 : last]


async def test_all_cursors_together_keep_a_bounded_part_in_memory() -> None:
    together = KeptMemory(20_000)
    rows = [_row(number) for number in range(4 * PAGE_ROWS)]
    kept = [KeptRows(InlineRunner(), KEPT_BYTES_MAX, together) for _ in range(10)]
    for each in kept:
        await each.append(rows)
    assert sum(each.memory_bytes for each in kept) <= 20_000
    assert all([await each.slice(1, len(rows)) == rows for each in kept])
    for each in kept:
        each.close()
    assert together.take(20_000), "what is closed is given back"
