"""24:00:00 lies behind all other times of day, wherever the standard library compares, copies or writes it."""

from __future__ import annotations

import copy
import datetime
import pickle
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from connectors.sinks.avro_messages import AvroPart
from model.physical.columns import column_from_arrow, column_to_arrow, rows_to_arrow
from model.text.dispatch import format_datum, parse_datum
from model.types.datum import MICROSECONDS_PER_DAY
from model.types.relation_desc import relation_desc
from model.types.scalar_type import TIME
from model.types.time_of_day import END_OF_DAY, time_from_iso, time_from_micros, time_to_micros

_DAY = st.integers(0, MICROSECONDS_PER_DAY) | st.sampled_from((0, MICROSECONDS_PER_DAY - 1, MICROSECONDS_PER_DAY))


@given(_DAY)
def test_a_time_is_its_microseconds(micros: int) -> None:
    time = time_from_micros(micros)
    assert time_to_micros(time) == micros
    assert time_from_iso(time.isoformat()) == time
    assert parse_datum(format_datum(time, TIME), TIME) == time


@given(_DAY, _DAY)
def test_times_compare_as_their_microseconds(first: int, second: int) -> None:
    one, other = time_from_micros(first), time_from_micros(second)
    assert (one == other, one != other) == (first == second, first != second)
    assert (one < other, one <= other, one > other, one >= other) == (
        first < second,
        first <= second,
        first > second,
        first >= second,
    )
    assert len({one, other}) == len({first, second})


@given(st.lists(_DAY))
def test_times_are_sorted_and_lie_in_columns_as_their_microseconds(day: list[int]) -> None:
    times = [time_from_micros(micros) for micros in day]
    assert [time_to_micros(time) for time in sorted(times)] == sorted(day)
    column = column_to_arrow([*times, None], TIME)
    assert column.to_pylist() == [*day, None]
    assert column_from_arrow(column, TIME) == [*times, None]


def test_copies_are_the_same_object() -> None:
    assert copy.copy(END_OF_DAY) is copy.deepcopy(END_OF_DAY) is END_OF_DAY
    assert all(pickle.loads(pickle.dumps(END_OF_DAY, protocol)) is END_OF_DAY for protocol in range(2, 6))
    assert [str(END_OF_DAY), f"{END_OF_DAY}"] == ["24:00:00"] * 2


def test_it_equals_nothing_else() -> None:
    others = (datetime.time(), datetime.time.max, 86_400, "24:00:00", None)
    assert not any(one == other for one, other in product((END_OF_DAY,), others))


def test_avro_has_the_microseconds() -> None:
    """fastavro's own would be those of midnight."""
    desc = relation_desc(("t", TIME))
    part = AvroPart.of_keys(desc)
    (row,) = part.rows(rows_to_arrow([(END_OF_DAY,)], desc), desc)
    assert row == {"t": MICROSECONDS_PER_DAY}
