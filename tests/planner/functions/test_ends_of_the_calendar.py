"""Functions of dates and times give a value or an error of SQL's at the ends of the calendar, in every zone.

Each function is called with the first and last dates and times there are, in zones whose clocks leave the years 1 to
9999 there, and with intervals that lead out of them.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest

from model.errors.sql_error import SqlError
from model.types.datum import Interval, TimeTz
from model.types.scalar_type import TypeName
from tests.planner.functions.tempting_calls import Call, Row, callable_rows, drawn_calls

_ENDS = (datetime.datetime.min, datetime.datetime.max, datetime.datetime(9999, 12, 31), datetime.datetime(2020, 2, 29))
_UNITS = ("millennium", "century", "decade", "year", "isoyear", "week", "day", "hour", "julian", "epoch", "timezone")
_ZONES = ("Europe/Paris", "America/New_York", "Pacific/Kiritimati", "EST5EDT,M3.2.0,M11.1.0")
_POOLS: dict[TypeName, tuple[Any, ...]] = {
    TypeName.INT4: (-1, 0, 1, 9999),
    TypeName.FLOAT8: (0.0, 59.5),
    TypeName.TEXT: (*_UNITS, *_ZONES, "YYYY BC IYYY CC J TZ", "9999-12-31 23:59:59-05"),
    TypeName.JSONB: ('"9999-12-31T23:59:59-05:00"', '"0001-01-01T00:00:00+05:00"', "{}"),
    TypeName.JSONPATH: ("$.datetime()",),
    TypeName.BOOL: (True, False),
    TypeName.DATE: tuple(end.date() for end in _ENDS),
    TypeName.TIME: (datetime.time.min, datetime.time.max),
    TypeName.TIMETZ: (TimeTz(0, 0), TimeTz(86_400_000_000, 0), TimeTz(0, -50_000)),
    TypeName.TIMESTAMP: _ENDS,
    TypeName.TIMESTAMPTZ: tuple(end.replace(tzinfo=datetime.UTC) for end in _ENDS),
    TypeName.INTERVAL: (Interval(0, 1, 0), Interval(0, 0, -1), Interval(-5, 0, 0), Interval(96_000, -1, 1)),
}
_TIMES = frozenset((TypeName.DATE, TypeName.TIMESTAMP, TypeName.TIMESTAMPTZ, TypeName.JSONPATH))
_CALLS = 60


def _failures(row: Row, call: Call) -> Iterator[str]:
    """What goes wrong with a function: errors that are no SQL's, or that it does not announce."""
    for types, values in drawn_calls(row, _POOLS, (TypeName.TIMESTAMPTZ, TypeName.DATE), _CALLS):
        try:
            call(types, values)
        except SqlError as error:
            if not row.fallible:
                yield f"{row.key}{values} fails, which it does not announce: {error}"
        except Exception as error:  # noqa: BLE001 - any other is what is looked for
            yield f"{row.key}{values}: {type(error).__name__}: {error}"


@pytest.mark.parametrize("zone", _ZONES)
def test_functions_know_the_ends_of_the_calendar(zone: str) -> None:
    rows = [(row, call) for row, call in callable_rows(zone) if _TIMES & {type_.name for type_ in row.arguments}]
    assert len(rows) > 100
    failures = [failure for row, call in rows for failure in _failures(row, call)]
    assert not failures, "\n".join(failures)
