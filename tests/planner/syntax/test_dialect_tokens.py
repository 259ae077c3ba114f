"""Words, names, numbers and texts in our own statements are cut and folded as PostgreSQL's scanner does it."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from planner.syntax.own_statements import SubscribeStatement
from planner.syntax.parse import parse


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("T", "t"),
        ("ÀB", "Àb"),
        ('U&"d\\0061t"', "dat"),
        ("u&\"d!0061t\" UESCAPE '!'", "dat"),
        ("😀", "😀"),
        ("²", "²"),
        ("a" * 70, "a" * 63),
        ('"' + "é" * 40 + '"', "é" * 31),
    ],
)
def test_a_name_is_what_it_is_to_postgres(written: str, name: str) -> None:
    (statement,) = parse(f"SUBSCRIBE {written} AS OF 5")
    (plain,) = parse(f"SELECT * FROM {written}")
    assert isinstance(statement.node, SubscribeStatement)
    assert statement.node.source.parts == (name,)
    assert plain.node.from_clause[0].range_var.relname == name


@pytest.mark.parametrize("sql", ["ſhow tableſ from s", "ſubscribe t", "SELECT 1 aſ of 5", "fetch c with (timeout ²)"])
def test_a_letter_that_is_not_ascii_makes_no_word_of_ours(sql: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert caught.value.sqlstate.value == "42601"


def test_a_column_is_no_list_because_of_a_letter_like_one_of_its() -> None:
    (statement,) = parse("SELECT liſt[1] FROM t")
    assert statement.members.constructors == {}


def test_a_text_goes_on_below() -> None:
    (statement,) = parse("SHOW TABLES FROM s LIKE 'a''\n'\n'b'")
    assert statement.extension.show is not None
    assert statement.extension.show.like == "a'\nb"


@pytest.mark.parametrize(
    ("sql", "near"),
    [
        (f"WITH MUTUALLY RECURSIVE (RECURSION LIMIT {'9' * 5000}) a (b int) AS (SELECT 1) SELECT 1", "9" * 5000),
        (
            "CREATE SOURCE s FROM LOAD GENERATOR COUNTER (TICK INTERVAL 1e9999999999999999999)",
            "1e9999999999999999999",
        ),
    ],
    ids=["limit", "option"],
)
def test_a_number_that_nothing_can_hold_is_refused(sql: str, near: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.message, caught.value.position) == (f'syntax error at or near "{near}"', sql.index(near) + 1)
