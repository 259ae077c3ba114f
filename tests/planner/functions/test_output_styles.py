"""What becomes text within a statement is written in the session's DateStyle and IntervalStyle, as PostgreSQL does."""

from __future__ import annotations

import datetime

import pytest

from model.text.context import TextContext
from planner.interpret.context import EvaluationContext
from planner.ir.scalar import SessionName
from tests.judge import Judge
from tests.planner.empty_catalog import run_select

_NOW = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
_EXPRESSIONS = (
    "(date '2024-02-29')::text",
    "(timestamp '2024-02-29 13:14:15.5')::varchar",
    "(timestamptz '2024-07-01 13:14:15+00')::text",
    "(interval '1 year 2 mons -3 days 04:05:06.7')::text",
    "(interval '-1 day')::varchar(20)",
    "(time '10:11:12')::text",
    "array[date '2024-02-29', null]::text",
    "row(date '2024-02-29', interval '1 hour')::text",
    "concat('x', date '2024-02-29', interval '2 days')",
    "format('%s %L', timestamp '2024-02-29 01:02:03', interval '3 mons')",
    "'on ' || date '2024-02-29'",
    "array_to_string(array[interval '1 day 2 hours'], ',')",
    "quote_literal(timestamptz '2024-01-01 00:00+00')",
    "to_jsonb(timestamp '2024-02-29 01:02:03')::text",
)
_STYLES = (
    ("UTC", "ISO, MDY", "postgres"),
    ("America/New_York", "SQL, DMY", "sql_standard"),
    ("Europe/Berlin", "German, DMY", "iso_8601"),
    ("Asia/Kolkata", "Postgres, MDY", "postgres_verbose"),
)


@pytest.mark.parametrize("zone, date_style, interval_style", _STYLES)
def test_texts_are_in_the_sessions_styles(judge: Judge, zone: str, date_style: str, interval_style: str) -> None:
    text = TextContext(time_zone=zone, date_style=date_style, interval_style=interval_style, now=_NOW)
    context = EvaluationContext(text, {SessionName.NOW: _NOW})
    with judge.connect() as connection:
        for setting, value in (("TimeZone", zone), ("DateStyle", date_style), ("IntervalStyle", interval_style)):
            connection.execute(f"SET {setting} = '{value}'".encode())
        for expression in _EXPRESSIONS:
            row = connection.execute(f"SELECT {expression}".encode()).fetchone()
            assert run_select(f"SELECT {expression}", context)[1] == [row], expression
