"""DateStyle's order decides what 01/02/2024 means, in constants and in casts of text."""

from __future__ import annotations

import datetime

import pytest

from model.text.context import TextContext
from planner.interpret.context import EvaluationContext
from planner.ir.scalar import SessionName
from tests.planner.empty_catalog import plan_select, run_select

_NOW = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
_CASES = [
    ("'01/02/2024'::date", datetime.date(2024, 1, 2), datetime.date(2024, 2, 1)),
    ("lower('01/02/2024')::date", datetime.date(2024, 1, 2), datetime.date(2024, 2, 1)),
    ("date '2024-01-02'", datetime.date(2024, 1, 2), datetime.date(2024, 1, 2)),
    ("'{01.02.2024}'::date[]", (datetime.date(2024, 1, 2),), (datetime.date(2024, 2, 1),)),
    ("timestamp '01-02-2024 03:04'", datetime.datetime(2024, 1, 2, 3, 4), datetime.datetime(2024, 2, 1, 3, 4)),
]


@pytest.mark.parametrize(("expression", "month_first", "day_first"), _CASES)
def test_a_date_is_read_in_the_order_of_the_session(expression: str, month_first: object, day_first: object) -> None:
    for style, expected in (("ISO, MDY", month_first), ("ISO, DMY", day_first)):
        context = EvaluationContext(TextContext(date_style=style, now=_NOW), {SessionName.NOW: _NOW})
        _, rows = run_select(f"SELECT {expression}", context)
        assert rows == [(expected,)]


def test_an_iso_date_is_a_constant() -> None:
    assert "SessionValue" not in repr(plan_select("SELECT timestamptz '2024-01-02 03:04:05+00', date '2024-01-02'"))
