"""What is refused, where, and in which words, when a text has clauses of ours, or looks as if it had."""

from __future__ import annotations

import time

import pytest

from model.errors.sql_error import SqlError
from planner.syntax.own_statements import Place, SubscribeStatement
from planner.syntax.parse import parse

_END = "syntax error at end of input"


def _near(text: str) -> str:
    return f'syntax error at or near "{text}"'


@pytest.mark.parametrize(
    ("sql", "message", "position"),
    [
        # More than an expression stands behind AS OF.
        ("select 1 as of 5), (6", _near(")"), 17),
        ("select 1 as of 5) from t where (true", _near(")"), 17),
        ("select 1 as of 5)::int + (6", _near(")"), 17),
        ("select 1 as of 5, 6", _near(","), 17),
        ("select 1 as of select 2", _near("select"), 16),
        ("subscribe t within timestamp order by a limit 5", _near("limit"), 41),
        # An expression ends too soon.
        ("select 1 as of 5 +", _END, 19),
        ("select 1 as of 5 + ; select 2", _near(";"), 20),
        ("copy (select 1 as of 5 +) to stdout", _near(")"), 25),
        ("subscribe t as of 5 + up to 6", _near("up"), 23),
        ("subscribe t as of -- c;\n; select 1", _near(";"), 25),
        ("subscribe (select 1; select 2)", _near(";"), 20),
        ("subscribe (select 1; select 2", _near(";"), 20),
        # What was taken out of the text before the error has characters of several bytes.
        ('create materialized view v in cluster "éé" as selekt 1', _near("selekt"), 47),
        ("subscribe é; subscribe 'é'", _near("'é'"), 24),
        ("subscribe é; select 'é' frm x y", _near("x"), 29),
        # What was put in the place of other words is not quoted, nor its places told.
        ("create default index on t é garbage", _near("é"), 27),
        ("create default index on", _END, 24),
        ("create default index on ; select 1", _near(";"), 25),
        ("alter view swap with é rename to renamed", _near("with"), 17),
        ("select list[1, +]", _near("]"), 17),
        # The reading that gets farther is the one that is meant.
        ("select a as of from t where", _END, 28),
        ("select a as of from t where b as of (5", _END, 39),
        # The first statement that is wrong is told of.
        ("subscribe a; selekt 1; subscribe 1", _near("selekt"), 14),
        ('select 1 "not supported" "not supported"', _near('"not supported"'), 26),
    ],
)
def test_an_error_stands_where_reading_stopped(sql: str, message: str, position: int) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.sqlstate.value, caught.value.message, caught.value.position) == ("42601", message, position)


@pytest.mark.parametrize("sql", ["select a as of from t", "select of.a from t as of (a, b)", "select 1 as of, 2"])
def test_a_statement_of_postgres_is_the_same_beside_one_of_ours(sql: str) -> None:
    (alone,) = parse(sql)
    _, beside = parse(f"subscribe t; {sql}")
    assert beside.extension.as_of is None
    assert len(beside.node.target_list) == len(alone.node.target_list)


def test_a_name_may_end_in_what_is_blank_elsewhere() -> None:
    assert parse("select a as x\u00a0 ;")[0].text == "select a as x\u00a0"


def test_places_in_pieces_are_those_of_the_message() -> None:
    _, subscribe = parse("select 'é'; subscribe (select nope from t) as of 5 + $1")
    node = subscribe.node
    assert isinstance(node, SubscribeStatement) and not isinstance(node.source, Place)
    assert subscribe.position(node.source.target_list[0].res_target.val.column_ref.location) == 31
    assert subscribe.position(node.as_of.a_expr.rexpr.param_ref.location) == 54


@pytest.mark.parametrize(
    "sql",
    [
        "select 'é' as of 5;" * 2_000,
        "select 'é';" * 10_000,
        "with mutually recursive a (" + ", ".join(f"c{each} int" for each in range(2_000)) + ") as (table a) table a",
        "create connection c to nothing (" + ", ".join(f"a{each} E'1'" for each in range(2_000)) + ")",
    ],
    ids=["clauses", "statements", "types", "texts"],
)
def test_a_long_text_takes_time_by_its_length(sql: str) -> None:
    began = time.process_time()
    parse(sql)
    assert time.process_time() - began < 6
