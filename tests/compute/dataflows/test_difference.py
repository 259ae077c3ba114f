"""A difference is that of the multisets, whether it lies in memory or in files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compute.replica.contents.difference import Difference
from compute.replica.dataflows.exports.tick_updates import TickUpdates
from model.physical.columns import arrow_schema, updates_schema
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import FLOAT8, INT4, TEXT
from model.updates.update import Update, updates_to_arrow
from tests.compute.dataflows.world import counted

_DESC = relation_desc(("a", INT4), ("b", TEXT), ("c", FLOAT8))
_ROWS = st.tuples(st.none() | st.integers(0, 3), st.none() | st.sampled_from("xyz"), st.sampled_from([0.5, -0.0, None]))
_SCHEMA = arrow_schema(_DESC).append(pa.field("diff", pa.int64()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), portion_rows=st.sampled_from([1, 3, 1000]))
def test_a_difference_adds_up(tmp_path: Path, data: Any, portion_rows: int) -> None:
    updates = data.draw(
        st.lists(st.builds(Update, _ROWS, st.just(Timestamp(1)), st.sampled_from([-1, 1, 2])), max_size=20)
    )
    expected: Counter[Any] = Counter()
    for update in updates:
        expected[update.row] += update.diff
    difference = Difference(_SCHEMA, tmp_path, len(updates), portion_rows)
    for start in range(0, len(updates), 4):
        difference.add(updates_to_arrow(updates[start : start + 4], _DESC).drop_columns(["time"]))
    tables = list(difference.tables())
    difference.close()
    got: Counter[Any] = Counter()
    for table in tables:
        assert set(counted(table, _DESC)).isdisjoint(got), "a row in two tables"
        got.update(counted(table, _DESC))
    assert {row: count for row, count in got.items() if count} == {
        row: count for row, count in expected.items() if count
    }
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("count", [0, 3, 5000])
def test_a_tick_s_updates_are_consolidated_and_in_order_of_time(tmp_path: Path, count: int) -> None:
    taken = TickUpdates(updates_schema(_DESC), tmp_path)
    for number in range(count):
        row = (number % 7, "x", None)
        both = [Update(row, Timestamp(9 - number % 3), 1), Update((number, "gone", 0.5), Timestamp(5), 1)]
        taken.take(updates_to_arrow(both, _DESC))
        taken.take(updates_to_arrow([Update((number, "gone", 0.5), Timestamp(5), -1)], _DESC))
    for _ in range(2):
        tables = list(taken.tables())
        times = [table.column("time").to_pylist() for table in tables]
        assert all(each == sorted(each) for each in times)
        total: Counter[Any] = Counter()
        for table in tables:
            total.update(counted(table, _DESC))
        assert total == Counter((number % 7, "x", None) for number in range(count))
    taken.close()


@pytest.mark.parametrize("takes", [1, 2])
def test_updates_that_are_consolidated_are_added_up_where_others_come_to_them(tmp_path: Path, takes: int) -> None:
    taken = TickUpdates(updates_schema(_DESC), tmp_path)
    updates = [Update((number, "x", None), Timestamp(9 - number % 3), 1) for number in range(30)]
    for _ in range(takes):
        taken.take(updates_to_arrow([], _DESC))
        taken.take(updates_to_arrow(updates, _DESC), consolidated=True)
    for _ in range(2):
        (table,) = taken.tables()
        times = table.column("time").to_pylist()
        assert times == sorted(times) and table.num_rows == len(updates)
        assert counted(table, _DESC) == Counter({(number, "x", None): takes for number in range(30)})
    taken.close()


def test_a_tick_that_gives_nothing_has_no_tables(tmp_path: Path) -> None:
    taken = TickUpdates(updates_schema(_DESC), tmp_path)
    taken.take(updates_to_arrow([], _DESC), consolidated=True)
    assert list(taken.tables()) == []
    taken.close()
