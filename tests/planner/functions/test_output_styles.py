"""What becomes text within a statement is written in the session's styles, as PostgreSQL does."""

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
    "to_json(interval '1 day 2 hours')::text",
    "json_build_object(date '2024-02-29', daterange('2024-02-01', '2024-03-01'))::text",
    "jsonb_build_object(timestamptz '2024-02-29 01:02:03+00', date '2024-02-29', interval '1 day', '1')::text",
    "row(array[0.1::float8 + 0.2], '\\x61ff'::bytea)::text",
    "concat(1.0::float4 / 3, '|', '\\x5c00'::bytea, array['\\x22'::bytea])",
    "to_json(row(1e300::float8, 123456.789::float4, 'NaN'::float8, '\\xff'::bytea))::text",
    "jsonb_build_object(0.1::float8 + 0.2, 2.0::float8 / 3)::text",
    "quote_literal('\\x275c00'::bytea)",
    "array_to_string(array[1234567.5::float4, 'Infinity'], ',')",
)
_STYLES = (
    ("UTC", "ISO, MDY", "postgres", 1, "hex"),
    ("America/New_York", "SQL, DMY", "sql_standard", 0, "hex"),
    ("Europe/Berlin", "German, DMY", "iso_8601", 3, "escape"),
    ("Asia/Kolkata", "Postgres, MDY", "postgres_verbose", -15, "escape"),
    ("UTC", "ISO, MDY", "postgres", -4, "hex"),
)


_SETTINGS = ("TimeZone", "DateStyle", "IntervalStyle", "extra_float_digits", "bytea_output")


@pytest.mark.parametrize("styles", _STYLES, ids=str)
def test_texts_are_in_the_sessions_styles(judge: Judge, styles: tuple[str, str, str, int, str]) -> None:
    context = EvaluationContext(TextContext(*styles, now=_NOW), {SessionName.NOW: _NOW})
    with judge.connect() as connection:
        for setting, value in zip(_SETTINGS, styles, strict=True):
            connection.execute(f"SET {setting} = '{value}'".encode())
        for expression in _EXPRESSIONS:
            row = connection.execute(f"SELECT {expression}".encode()).fetchone()
            assert run_select(f"SELECT {expression}", context)[1] == [row], expression
