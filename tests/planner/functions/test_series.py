"""Series of moments end, or are refused where a step does not move them: PostgreSQL repeats such a moment for ever."""

from __future__ import annotations

import datetime
from itertools import islice
from typing import Any

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Interval
from model.types.wide_time import INFINITE, WideMoment
from planner.functions.registry import TABLE_FUNCTIONS

_DAY, _BACK = Interval(0, 1, 0), Interval(0, -1, 0)
_FIRST, _LAST = WideMoment(-INFINITE), WideMoment(INFINITE)
_MANY = 100_000


def _series(start: Any, stop: Any, step: Interval, *zone: str) -> list[Any]:
    kind = "timestamptz" if zone else "timestamp"
    evaluate = TABLE_FUNCTIONS[f"generate_series_{kind}_{kind}_interval"].evaluate
    return [value for (value,) in islice(evaluate(start, stop, step, *zone), _MANY)]


def _at(year: int, month: int, zone: tuple[str, ...]) -> datetime.datetime:
    return datetime.datetime(year, month, 1, tzinfo=datetime.UTC if zone else None)


@pytest.mark.parametrize("zone", [(), ("UTC",), ("Europe/Paris",)])
def test_a_series_that_stays_where_it_is_is_refused(zone: tuple[str, ...]) -> None:
    new_year, february = _at(2020, 1, zone), _at(2021, 2, zone)
    for start, stop, step in (
        (_FIRST, new_year, _DAY),
        (_FIRST, _LAST, _DAY),
        (_LAST, _LAST, _DAY),
        (_LAST, new_year, _BACK),
        (_FIRST, _FIRST, _BACK),
        (february, _at(2030, 1, zone), Interval(1, -28, 0)),
    ):
        with pytest.raises(SqlError) as refused:
            _series(start, stop, step, *zone)
        assert refused.value.sqlstate == "22023"


@pytest.mark.parametrize("zone", [(), ("UTC",)])
def test_a_series_that_never_begins_is_empty(zone: tuple[str, ...]) -> None:
    new_year = _at(2020, 1, zone)
    assert _series(_LAST, new_year, _DAY, *zone) == _series(_FIRST, new_year, _BACK, *zone) == []
    assert _series(new_year, _at(2020, 2, zone), Interval(0, 31, 0), *zone) == [new_year, _at(2020, 2, zone)]


def test_a_series_up_to_infinity_ends_where_timestamps_do() -> None:
    with pytest.raises(SqlError) as refused:
        _series(datetime.datetime(2020, 1, 1), _LAST, Interval(12_000 * 12, 0, 0))
    assert refused.value.sqlstate == "22008"
