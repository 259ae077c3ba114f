"""The regular expressions that SIMILAR TO's patterns become are PostgreSQL's, to the letter."""

from __future__ import annotations

import random

import pytest

from model.errors.sql_error import SqlError
from planner.functions.text.pattern import similar_to_escape
from tests.judge import Judge

_PIECES = (
    "[",
    "]",
    "[:",
    ":]",
    "[:digit:]",
    "^",
    "\\",
    '"',
    "#",
    "%",
    "_",
    "(",
    ")",
    "|",
    "{2}",
    "a",
    "-",
    "z",
    "é",
    ".",
)
_ESCAPES = ("\\", "#", "", "a")


def test_patterns_become_what_postgresql_makes_of_them(request: pytest.FixtureRequest, judge: Judge) -> None:
    random_ = random.Random(1)
    differing = []
    with judge.connect() as connection:
        for _ in range(5 * int(request.config.getoption("--random-patterns"))):
            pattern = "".join(random_.choices(_PIECES, k=random_.randint(1, 9)))
            escape = random_.choice(_ESCAPES)
            try:
                ours = similar_to_escape(pattern, escape)
            except SqlError as error:
                ours = error.sqlstate.value
            query = "SELECT similar_to_escape(%s, %s)"
            try:
                row = connection.execute(query, (pattern, escape)).fetchone()
                theirs = None if row is None else row[0]
            except Exception as error:  # noqa: BLE001 - its SQLSTATE is what is compared
                theirs = getattr(error, "sqlstate", None)
            if ours != theirs:
                differing.append((pattern, escape, ours, theirs))
    assert not differing
