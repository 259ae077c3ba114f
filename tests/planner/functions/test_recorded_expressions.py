"""Every recorded expression, parsed, planned and interpreted, gives PostgreSQL's answer.

Aggregates of floats are compared as far as they agree: ours are exact where PostgreSQL's depend on the order of rows.
"""

from __future__ import annotations

import datetime
import math
import random
from pathlib import Path

import pytest

from model.errors.sql_error import SqlError
from model.text.context import TextContext
from model.text.dispatch import format_datum
from model.types.scalar_type import ScalarType, TypeName
from planner.interpret.context import EvaluationContext
from planner.ir.scalar import SessionName
from tests.judge import Judge
from tests.planner.empty_catalog import run_select
from tests.planner.functions.recordings import Recording, ask, files, read, value_answer
from tests.planner.functions.test_system_functions import OneTable

_NOW = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
_FLOATS = {TypeName.FLOAT4: 1e-6, TypeName.FLOAT8: 1e-14}
_SAMPLE = 40


def evaluated(expression: str, zone: str) -> tuple[str, ScalarType | None]:
    """Headwater's answer in the form of the recordings, and its type when it isn't an error."""
    text = TextContext(time_zone=zone, now=_NOW, objects=OneTable().names)
    context = EvaluationContext(text, {SessionName.TIME_ZONE: zone, SessionName.NOW: _NOW}, OneTable())
    try:
        query, rows = run_select(f"SELECT {expression}", context)
    except SqlError as error:
        return f"! {error.sqlstate.value} {error.message}", None
    type_ = query.desc.columns[0].type
    value = rows[0][0] if rows else None
    return value_answer(None if value is None else format_datum(value, type_, text)), type_


def agree(answer: str, expected: str, type_: ScalarType | None, aggregate: bool) -> bool:
    """Whether two answers are the same as far as they are documented to be."""
    if answer == expected:
        return True
    if type_ is None or not (answer.startswith("= ") and expected.startswith("= ")):
        return False
    if aggregate and type_.name in _FLOATS:
        return math.isclose(float(answer[2:]), float(expected[2:]), rel_tol=_FLOATS[type_.name])
    return False


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_expressions_answer_as_postgres_recorded_them(path: Path) -> None:
    zone, recordings = read(path)
    assert recordings
    wrong = []
    for recording in recordings:
        answer, type_ = evaluated(recording.expression, zone)
        if not agree(answer, recording.answer, type_, path.stem == "aggregates"):
            wrong.append(f"{recording.expression}\n  PostgreSQL: {recording.answer}\n  Headwater:  {answer}")
    assert not wrong, "\n".join(wrong)


def test_a_random_sample_of_recordings_is_what_postgres_says_today(judge: Judge) -> None:
    every: list[tuple[str, Recording]] = []
    for path in files():
        zone, recordings = read(path)
        every += [(zone, recording) for recording in recordings]
    with judge.connect() as connection:
        for zone, recording in random.sample(every, _SAMPLE):
            connection.execute(f"SET TimeZone = '{zone}'".encode())
            assert ask(connection, recording.expression) == recording.answer, recording.expression
