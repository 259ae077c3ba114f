"""What is nested more deeply than can be held is refused, and ends no process."""

from __future__ import annotations

import threading

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.grammar import parse_tree
from planner.syntax.parse import parse


@pytest.mark.parametrize(
    "sql",
    [
        "select a from t order by a nulls {}last",
        "select 1 where 1 not {}in (2) and 1 not {}between 2 and 3 and 'a' not {}like 'b'",
        "select * from unnest(a) with {}ordinality",
        "select '1'::time with {}time zone, '1'::timestamp without {}time zone",
        "select json_array(a format {}json)",
        "select U&'d!0061' uescape {}'!'",
    ],
)
def test_a_comment_stands_between_any_two_words(sql: str) -> None:
    comment = "/* é */ -- ü\n"
    (plain,), (commented,) = parse(sql.format(*[" " * len(comment.encode())] * 3)), parse(sql.format(*[comment] * 3))
    assert commented.node == plain.node


def test_an_error_behind_a_comment_stands_at_its_character() -> None:
    sql = "select /* é */ a from t order by a nulls -- é\nlast last"
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.message, caught.value.position) == ('syntax error at or near "last"', sql.rindex("last") + 1)


@pytest.mark.parametrize("terms", [2, 60, 1000])
def test_a_short_text_nests_as_deeply_as_it_likes(terms: int) -> None:
    assert len(parse("SELECT 1" + "+1" * terms)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1" + "+1" * 5_500,
        "SELECT 1" + "+1" * 500_000,
        "SELECT 1, (2" + "::int" * 6_000 + ")",
        "SELECT " + "(" * 1_000_000,
        "SELECT " + "f(a, " * 20_000,
        "SELECT " + "array[" * 20_000,
        "SELECT " + "CASE WHEN true THEN " * 20_000,
        "SELECT 1" + " UNION ALL SELECT 1" * 20_000,
        "SELECT " + "NOT " * 6_000 + "true",
        "SELECT 1" + " IS NULL" * 6_000,
    ],
    ids=lambda text: f"{text[:30]} of {len(text)}",
)
def test_a_long_text_that_nests_deeply_is_refused(text: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse(text)
    assert caught.value.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX


@pytest.mark.parametrize(
    "text",
    [
        "VALUES " + ", ".join(f"({number})" for number in range(20_000)),
        "SELECT " + "+1, 1".join(["1"] * 20_000),
        "SELECT true" + " AND 1 = 1 OR 2 < 3" * 10_000,
        "SELECT '" + "(1+" * 20_000 + "'",
        "SELECT E'" + "(\\'+" * 20_000 + "'",
        "SELECT $a$" + "(1+'" * 20_000 + "$a$",
        "SELECT 1 /* /* " + "(1+'" * 20_000 + "*/ (( */",
        "SELECT 1 -- " + "(1+'" * 20_000,
        'SELECT 1 AS "' + "(1+'" * 20_000 + '"',
        "SELECT " + "'x'||" * 60 + "'x' /*" + "p" * 5000 + "*/",
        "SELECT " + "1+" * 4_000 + "1",
        "SELECT " + "CASE WHEN 1 = 1 THEN 2 + 2 ELSE 3 END, " * 10_000 + "1",
    ],
    ids=lambda text: f"{text[:30]} of {len(text)}",
)
def test_a_long_text_that_nests_little_is_read(text: str) -> None:
    assert len(parse(text)) == 1


def test_threads_that_read_at_once_leave_the_size_of_stacks_as_it_was() -> None:
    usual = threading.stack_size(48 << 20)
    try:
        texts = [f"SELECT 1 IN ({', '.join(['1'] * count)})" for count in (2_000, 3_000)]
        readers = [threading.Thread(target=lambda text=text: [parse_tree(text) for _ in range(60)]) for text in texts]
        for each in readers:
            each.start()
        for each in readers:
            each.join()
        assert threading.stack_size() == 48 << 20
    finally:
        threading.stack_size(usual)
