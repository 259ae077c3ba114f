"""From when on a maintained item is readable: never before an input, never past what its shard lacks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors.sql_error import SqlError
from model.time.antichain import EMPTY, Antichain
from model.time.timestamp import Timestamp
from server.objects.maintained.as_of import Bounds, as_of_again, as_of_anew


def _bounds(since: int, upper: int | None) -> Bounds:
    return Bounds(Antichain.at(since), EMPTY if upper is None else Antichain.at(upper))


@st.composite
def inputs(draw: st.DrawFn) -> list[Bounds]:
    found = []
    for _ in range(draw(st.integers(0, 4))):
        since = draw(st.integers(0, 50))
        found.append(_bounds(since, draw(st.none() | st.integers(since, since + 50))))
    return found


times = st.integers(0, 200).map(Timestamp)


@given(inputs(), times, st.none() | st.integers(0, 100))
def test_a_new_item_begins_where_all_inputs_are_readable(
    given_: list[Bounds], now: Timestamp, retain: int | None
) -> None:
    as_of = as_of_anew(given_, now, retain)
    assert all(each.since.less_equal(as_of) for each in given_)
    least = max((each.since.time or 0 for each in given_), default=0)
    complete = min([now, *(each.upper.time - 1 for each in given_ if each.upper.time is not None)])
    if complete - (retain or 0) >= least:
        assert as_of == complete - (retain or 0), "complete at once, but for what RETAIN HISTORY asks for"
    else:
        assert as_of == least


@given(inputs(), times, st.integers(0, 60), st.integers(0, 60))
def test_a_shard_goes_on_at_its_upper_without_a_gap(
    given_: list[Bounds], now: Timestamp, since: int, more: int
) -> None:
    own = _bounds(since, since + more)
    as_of = as_of_again(given_, now, own)
    least = max((each.since.time or 0 for each in given_), default=0)
    assert as_of >= least
    if least <= since + more - 1:
        assert as_of == (since if more == 0 else since + more - 1)


def test_an_index_begins_at_the_latest_time_that_is_complete() -> None:
    assert as_of_again([_bounds(3, 20), _bounds(5, 12)], Timestamp(30), None) == 11
    assert as_of_again([_bounds(3, 20), _bounds(15, 15)], Timestamp(30), None) == 15


def test_an_input_that_is_closed_for_ever_can_be_read_and_one_that_is_gone_cannot() -> None:
    assert as_of_anew([_bounds(3, None)], Timestamp(9), None) == 9
    with pytest.raises(SqlError):
        as_of_anew([Bounds(EMPTY, EMPTY)], Timestamp(9), None)
