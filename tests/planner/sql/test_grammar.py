"""What is nested more deeply than can be held is refused, and ends no process."""

from __future__ import annotations

import pytest

from model.errors import SqlError
from model.sqlstate import Sqlstate
from planner.sql.parse import parse


@pytest.mark.parametrize("terms", [2, 60, 1000])
def test_a_short_text_nests_as_deeply_as_it_likes(terms: int) -> None:
    assert len(parse("SELECT 1" + "+1" * terms)) == 1


@pytest.mark.parametrize("terms", [5_000, 50_000])
def test_a_long_text_that_nests_deeply_is_refused(terms: int) -> None:
    with pytest.raises(SqlError) as caught:
        parse("SELECT 1" + "+1" * terms)
    assert caught.value.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX


def test_a_long_text_that_nests_little_is_read() -> None:
    assert len(parse("VALUES " + ", ".join(f"({number})" for number in range(20_000)))) == 1
