"""Dates and moments beyond Python's calendar: their order, their texts, their stored and their sent forms."""

from __future__ import annotations

import datetime
import pickle
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.physical.columns import column_from_arrow, column_to_arrow
from model.physical.wide_times import counted
from model.text.context import DEFAULT_CONTEXT
from model.text.dispatch import formatter, parser
from model.types.datum import Datum, Range
from model.types.range_types import RANGES
from model.types.scalar_type import DATE, TIMESTAMP, TIMESTAMPTZ, ScalarType, array_of
from model.types.wide_time import (
    DAY_MAX,
    DAY_MIN,
    INFINITE,
    MICROS_END,
    MICROS_MIN,
    AnyDate,
    AnyMoment,
    WideDate,
    WideMoment,
    date_at,
    day_number,
    day_of,
    micros_of,
    moment_at,
    near,
)

_STORED_END = 2**63 - 2
_EDGES = (0, -1, day_number(1, 1, 1), day_number(1, 1, 1) - 1, day_number(10_000, 1, 1), day_number(10_000, 1, 1) - 1)
_DAYS = st.sampled_from((*_EDGES, DAY_MIN, DAY_MAX)) | st.integers(DAY_MIN, DAY_MAX)
_MICROS = st.sampled_from((*(day * 86_400_000_000 for day in _EDGES), MICROS_MIN, _STORED_END - 1)) | st.integers(
    MICROS_MIN, _STORED_END - 1
)
_DATES: st.SearchStrategy[AnyDate] = st.sampled_from((WideDate(INFINITE), WideDate(-INFINITE))) | _DAYS.map(date_at)
_INFINITIES = st.sampled_from((WideMoment(INFINITE), WideMoment(-INFINITE)))
_MOMENTS: st.SearchStrategy[AnyMoment] = _INFINITIES | _MICROS.map(moment_at)
_ZONED: st.SearchStrategy[AnyMoment] = _INFINITIES | _MICROS.map(lambda micros: moment_at(micros, datetime.UTC))


@given(_DATES, _DATES)
def test_dates_are_ordered_as_their_days(left: AnyDate, right: AnyDate) -> None:
    first, second = day_of(left), day_of(right)
    said = (left < right, left <= right, left == right, left >= right, left > right)
    assert said == (first < second, first <= second, first == second, first >= second, first > second)
    assert (hash(left) == hash(right)) or left != right


@given(_MOMENTS, _MOMENTS)
def test_moments_are_ordered_as_their_microseconds(left: AnyMoment, right: AnyMoment) -> None:
    first, second = micros_of(left), micros_of(right)
    said = (left < right, left <= right, left == right, left >= right, left > right)
    assert said == (first < second, first <= second, first == second, first >= second, first > second)


@given(st.lists(_DATES), st.lists(_MOMENTS), st.lists(_ZONED))
def test_stored_values_come_back_and_sort_as_they_do(
    dates: list[AnyDate], moments: list[AnyMoment], zoned: list[AnyMoment]
) -> None:
    for values, type_ in ((dates, DATE), (moments, TIMESTAMP), (zoned, TIMESTAMPTZ)):
        column = column_to_arrow([*values, None], type_)
        assert column_from_arrow(column, type_) == [*values, None]
        numbers = column.cast(counted(column.type)).to_pylist()[:-1]
        order = range(len(values))
        assert sorted(order, key=lambda at: values[at]) == sorted(order, key=lambda at: numbers[at])


@given(st.lists(_MOMENTS | st.none()), _DATES, _DATES)
def test_they_are_stored_within_other_values(items: list[Datum], one: AnyDate, other: AnyDate) -> None:
    arrays = array_of(TIMESTAMP)
    assert column_from_arrow(column_to_arrow([tuple(items), None], arrays), arrays) == [tuple(items), None]
    (dates,) = (type_ for type_, subtype in RANGES.items() if subtype == DATE)
    low, high = sorted((one, other), key=day_of)
    value = Range(low, high, True, False)
    assert column_from_arrow(column_to_arrow([value], dates), dates) == [value]


@given(_DATES, _MOMENTS, _ZONED)
def test_what_is_written_is_read_as_the_same(date: AnyDate, moment: AnyMoment, zoned: AnyMoment) -> None:
    for value, type_ in ((date, DATE), (moment, TIMESTAMP), (zoned, TIMESTAMPTZ)):
        assert parser(type_)(formatter(type_)(value)) == value
        assert pickle.loads(pickle.dumps(value)) == value


@given(_MICROS)
def test_a_near_year_is_whole_cycles_away(micros: int) -> None:
    moment, cycles = near(micros)
    assert micros_of(moment) + cycles * 146_097 * 86_400_000_000 == micros
    assert 1 <= moment.year <= 9999


def test_the_last_years_of_timestamps_can_not_be_stored() -> None:
    held = moment_at(_STORED_END - 1)
    assert column_from_arrow(column_to_arrow([held], TIMESTAMP), TIMESTAMP) == [held]
    for micros in (_STORED_END, MICROS_END - 1):
        with pytest.raises(SqlError) as refused:
            column_to_arrow([moment_at(micros)], TIMESTAMP)
        assert refused.value.sqlstate == "22008"


@pytest.mark.parametrize(("type_", "text"), [
    (DATE, "5874898-01-01"), (DATE, "4714-11-23 BC"), (TIMESTAMP, "294277-01-01"),
    (TIMESTAMP, "4714-11-23 23:59:59 BC"), (TIMESTAMPTZ, "4714-11-24 00:00+01 BC"),
])  # fmt: skip
def test_beyond_postgres_ends_there_is_nothing(type_: ScalarType, text: str) -> None:
    with pytest.raises(SqlError) as refused:
        parser(type_)(text)
    assert refused.value.sqlstate == "22008"


def test_a_column_without_days_and_one_of_another_kind_still_fail_as_they_did() -> None:
    with pytest.raises(pa.ArrowTypeError):
        column_to_arrow([object()], DATE)  # type: ignore[list-item]


@pytest.mark.parametrize(("zone", "shown"), [("EST5EDT", "-04:56:02"), ("WET", "-00:36:45"), ("EST", "-05:18:08")])
def test_zones_without_a_place_have_the_local_mean_time_of_theirs(zone: str, shown: str) -> None:
    context = replace(DEFAULT_CONTEXT, time_zone=zone)
    moment = parser(TIMESTAMPTZ)("1000-01-01 00:00+00")
    assert formatter(TIMESTAMPTZ, context)(moment).endswith(shown)
