"""Parsing: statements apart, errors in their place, Materialize's clauses around PostgreSQL's grammar."""

from __future__ import annotations

import subprocess
import sys

import pytest

from model.errors.sql_error import SqlError
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


@pytest.mark.parametrize(
    ("sql", "kind", "as_of"),
    [
        ("select 1 as of", "select_stmt", None),
        ("select * from t as of", "select_stmt", None),
        ("select a as of, b from t as of 5", "select_stmt", 5),
        ("select a as of from t as of as of at least 5", "select_stmt", 5),
        ("copy (select 1 as of 5) to stdout", "copy_stmt", 5),
        ("copy (select 1 as of) to stdout", "copy_stmt", None),
        ("prepare p as select a as of from t as of 5", "prepare_stmt", 5),
        (
            "select $$as of$$, '/* as of 6 */', \"as\" /* as of 7 /* 8 */ */ from t -- as of 9\n as of 5",
            "select_stmt",
            5,
        ),
        ("select 'é', U&'\\00e9', 1_000, $1 from t where a @@ b as of 5", "select_stmt", 5),
    ],
)
def test_as_of_is_the_last_of_a_statement(sql: str, kind: str, as_of: int | None) -> None:
    (statement,) = parse(sql)
    expression = statement.extension.as_of
    assert statement.kind == kind
    assert (None if expression is None else expression.a_const.ival.ival) == as_of


@pytest.mark.parametrize(
    "sql", ["copy t to stdout as of 5", "drop table t as of 5", "begin as of 5", "set a = 1 as of 5", "fetch c as of 5"]
)
def test_a_statement_without_a_query_has_no_time(sql: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.message, caught.value.position) == ('syntax error at or near "as"', sql.index("as of") + 1)


def test_columns_may_be_called_what_our_words_are() -> None:
    (statement,) = parse("select list, map, tail, subscribe[1], of from t as of")
    assert statement.extension.as_of is None
    assert len(statement.node.target_list) == 5


def test_plain_sql_is_parsed_without_the_dialect() -> None:
    script = (
        "import sys; from planner.syntax.parse import parse; parse('select a from t; insert into t select 1');"
        "sys.exit(any(name.partition('.')[0] == 'sqlglot' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
