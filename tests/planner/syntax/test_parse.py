"""Parsing: statements apart, errors in their place, Materialize's clauses around PostgreSQL's grammar."""

from __future__ import annotations

import pytest

from model.errors import SqlError
from planner.syntax.parse import parse


def test_a_message_is_cut_into_its_statements() -> None:
    found = parse(" select 'é;' ; /* c */ begin;; commit ")
    assert [(s.kind, s.text, s.offset) for s in found] == [
        ("select_stmt", "select 'é;'", 1),
        ("transaction_stmt", "begin", 23),
        ("transaction_stmt", "commit", 31),
    ]


@pytest.mark.parametrize("sql", ["", "  ", ";;", "-- nothing"])
def test_an_empty_message_has_no_statements(sql: str) -> None:
    assert parse(sql) == ()


@pytest.mark.parametrize(
    ("sql", "message", "position"),
    [
        ("select 'é', from from x", 'syntax error at or near "from"', 13),
        ("selekt 1", 'syntax error at or near "selekt"', 1),
        ("select (1", "syntax error at end of input", 10),
        ("select 1; select 'ü' frm x y", 'syntax error at or near "x"', 26),
        ("select 1 as of", None, None),
        ("select 'é' as of (5", "syntax error at end of input", 20),
        ("select 1 as of 5 from t", 'syntax error at or near "from"', 18),
        ("select 'open", 'unterminated quoted string at or near "\'open"', 8),
    ],
)
def test_a_syntax_error_stands_at_its_character(sql: str, message: str | None, position: int | None) -> None:
    if message is None:
        assert parse(sql)[0].extension.as_of is None
        return
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.sqlstate.value, caught.value.message, caught.value.position) == ("42601", message, position)


def test_as_of_is_taken_from_each_statement_by_itself() -> None:
    first, second, third = parse("select 'é' as of at least 5; select 2; insert into t select 1 as of $1")
    assert first.extension.at_least and first.extension.as_of.a_const.ival.ival == 5
    assert first.text == "select 'é' as of at least 5"
    assert second.extension.as_of is None
    assert third.extension.as_of.param_ref.number == 1
    assert third.position(third.extension.as_of.param_ref.location) == 69


def test_as_of_inside_parentheses_is_not_the_statements() -> None:
    with pytest.raises(SqlError):
        parse("select * from (select 1 as of 5) q")


def test_retained_history_is_read_beside_the_table() -> None:
    create, alter, reset = parse(
        "create table t (a int) with (retain history for '1h');"
        "alter table t set (RETAIN HISTORY = FOR '5 min'); alter table t reset (retain history)"
    )
    assert (create.kind, create.extension.retain_history) == ("create_stmt", "1h")
    assert (alter.kind, alter.extension.retain_history) == ("alter_table_stmt", "5 min")
    assert reset.extension.retains and reset.extension.retain_history is None


@pytest.mark.parametrize(
    ("sql", "stage"),
    [
        ("explain plan for select 1", "optimized"),
        ("explain raw plan for select 1", "raw"),
        ("explain timestamp for select 1 as of 5", "timestamp"),
    ],
)
def test_explain_has_its_stages(sql: str, stage: str) -> None:
    (statement,) = parse(sql)
    assert (statement.kind, statement.extension.explain) == ("select_stmt", stage)


def test_show_names_objects() -> None:
    tables, create = parse("show tables from \"My\" like 'a''%'; show create view s.v")
    show = tables.extension.show
    assert show is not None and (show.kind, show.name, show.like) == ("tables", ("My",), "a'%")
    show = create.extension.show
    assert show is not None and (show.create, show.name) == ("view", ("s", "v"))
