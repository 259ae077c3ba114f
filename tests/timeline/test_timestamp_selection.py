"""The four rules of the timeline, as far as the choice of a read's time can break them."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from timeline.timestamp_selection import AsOfTime, InputFrontiers, TimestampQuestion, select_timestamp


@st.composite
def inputs(draw: st.DrawFn) -> tuple[InputFrontiers, ...]:
    bounds = draw(st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=4))
    return tuple(
        InputFrontiers(f"t{i}", Antichain.at(since), Antichain.at(since + ahead))
        for i, (since, ahead) in enumerate(bounds)
    )


@given(inputs(), st.integers(0, 250))
def test_strict_reads_see_every_acknowledged_write_and_are_readable(
    given_inputs: tuple[InputFrontiers, ...], read_ts: int
) -> None:
    answer = select_timestamp(TimestampQuestion(given_inputs, Timestamp(read_ts)))
    assert answer.timestamp >= read_ts
    for each in given_inputs:
        assert each.since.less_equal(answer.timestamp)
    assert answer.complete == all(not each.upper.less_equal(answer.timestamp) for each in given_inputs)
    assert answer.timestamp == max(read_ts, *(each.since.time or 0 for each in given_inputs))


@given(inputs(), st.integers(0, 250), st.integers(0, 300))
def test_as_of_reads_exactly_there_or_not_at_all(
    given_inputs: tuple[InputFrontiers, ...], read_ts: int, time: int
) -> None:
    question = TimestampQuestion(given_inputs, Timestamp(read_ts), AsOfTime(Timestamp(time), at_least=False))
    since = max(each.since.time or 0 for each in given_inputs)
    if time < since:
        with pytest.raises(SqlError, match=f"can be read from {since}") as failure:
            select_timestamp(question)
        assert failure.value.sqlstate is Sqlstate.INVALID_PARAMETER_VALUE
    else:
        assert select_timestamp(question).timestamp == time


@given(inputs(), st.integers(0, 250), st.integers(0, 300))
def test_as_of_at_least_is_never_earlier_than_asked_nor_staler_than_a_plain_read(
    given_inputs: tuple[InputFrontiers, ...], read_ts: int, time: int
) -> None:
    question = TimestampQuestion(given_inputs, Timestamp(read_ts), AsOfTime(Timestamp(time), at_least=True))
    timestamp = select_timestamp(question).timestamp
    assert timestamp >= time
    assert timestamp >= select_timestamp(TimestampQuestion(given_inputs, Timestamp(read_ts))).timestamp


@given(inputs(), st.integers(0, 250), st.integers(0, 300))
def test_bounded_staleness_never_waits_and_keeps_its_bound(
    given_inputs: tuple[InputFrontiers, ...], read_ts: int, staleness: int
) -> None:
    assume(all((each.upper.time or 0) > 0 for each in given_inputs))
    question = TimestampQuestion(given_inputs, Timestamp(read_ts), max_staleness_ms=staleness)
    try:
        answer = select_timestamp(question)
    except SqlError as error:
        assert error.sqlstate is Sqlstate.SERIALIZATION_FAILURE  # noqa: PT017
        freshest = min(each.upper.time or 0 for each in given_inputs) - 1
        assert freshest < max(read_ts - staleness, *(each.since.time or 0 for each in given_inputs))
    else:
        assert answer.complete
        assert answer.timestamp >= read_ts - staleness


def test_a_collection_that_is_gone_says_so() -> None:
    gone = InputFrontiers("t", EMPTY, EMPTY)
    with pytest.raises(SqlError, match='"t" can no longer be read'):
        select_timestamp(TimestampQuestion((gone,), Timestamp(1)))
