"""A statement that isn't supported is refused in the words it is written with."""

import pytest

from planner.syntax.parse import parse
from planner.syntax.statement_words import statement_words


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("create sequence s", "CREATE SEQUENCE"),
        ("create trigger x before insert on t execute function f()", "CREATE TRIGGER"),
        ("create aggregate a(int) (sfunc = f, stype = int)", "CREATE AGGREGATE"),
        ("create operator + (function = f)", "CREATE OPERATOR"),
        ("create role r", "CREATE ROLE"),
        ("merge into t using u on true when matched then delete", "MERGE"),
    ],
)
def test_what_is_not_planned_is_named_as_it_is_written(sql: str, words: str) -> None:
    assert statement_words(parse(sql)[0]) == words
