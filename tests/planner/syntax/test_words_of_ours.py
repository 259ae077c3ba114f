"""Texts of PostgreSQL's with our words in them as names, and our clauses where they are none."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.syntax.parse import parse


@pytest.mark.parametrize(
    "sql",
    [
        "create table map (values int)",
        "insert into list (values) values (1)",
        "select sum(x) over (partition by list + 1) from t",
        "select sum(x) over w from t window w as (partition by list - 1)",
        "select json_object(a value list || 'x') from t",
        "select 'a'::map[] from t",
        "update t set list[1] = 2, map[1:2] = '{}'",
        "alter table t alter column a type list",
    ],
)
@pytest.mark.parametrize("beside", ["", "; subscribe t"])
def test_a_text_of_postgres_is_its_tree(sql: str, beside: str) -> None:
    statement = parse(sql + beside)[0]
    quoted = sql.replace("list", '"list"').replace("map", '"map"')
    assert _without_places(statement.node) == _without_places(parse(quoted)[0].node)
    assert not statement.members.types and not statement.members.constructors


def _without_places(node: object) -> str:
    return "\n".join(line for line in str(node).splitlines() if "location" not in line)


def test_a_list_is_read_beside_a_window_over_a_column_of_its_name() -> None:
    (statement,) = parse("select list[1, [2]], x::map[], sum(x) over (partition by list + 1) from t")
    assert len(statement.members.constructors) == 1
    over = statement.node.target_list[2].res_target.val.func_call.over
    assert over.partition_clause[0].a_expr.lexpr.column_ref.fields[0].string.sval == "list"


@pytest.mark.parametrize(
    ("sql", "near"),
    [
        ("select 1 from t with (retain history for '1h')", "with"),
        ("insert into t with (retain history for '1h') select 1", "("),
        ("create view v with (retain history for '1h') as select 1", "history"),
        ("create materialized view v in cluster 5 as select 1", "5"),
        ("create materialized view v in cluster ( as select 1", "("),
        ("create materialized view v in cluster 'c' as select 1", "'c'"),
        ("create table t (a int) in cluster c", "in"),
        ("create view v in cluster c as select 1", "in"),
    ],
)
def test_a_clause_where_it_means_nothing_is_refused(sql: str, near: str) -> None:
    with pytest.raises(SqlError) as caught:
        parse(sql)
    assert (caught.value.message, caught.value.sqlstate) == (
        f'syntax error at or near "{near}"',
        Sqlstate.SYNTAX_ERROR,
    )


def test_an_interval_is_a_text_of_any_form() -> None:
    (statement,) = parse("create temp table t (a int) with (retain history for e'1\\x68')")
    assert statement.extension.retain_history == "1h"


@pytest.mark.parametrize(
    "sql",
    [
        "select list" + "[" * 20_000 + "]" * 20_000,
        "select list" + "[" * 900 + "]" * 900,
        "select " + "list[" * 20_000,
        "select " + "list[" * 2_000 + "1" + "]" * 2_000,
        "select 'a'::" + "map[text=>" * 2_000 + "int" + "]" * 2_000,
        "select " + "'a'::map[text=>int], " * 1_000 + "1",
        "create table t (a int) with (" + "retain history, " * 10_000 + "x)",
        "create source s from load generator x (a " + "(" * 1_000,
        "create source s from load generator x (a " + "(" * 10_000,
    ],
    ids=lambda sql: f"{sql[:30]} of {len(sql)}",
)
def test_what_nests_takes_time_by_its_length(sql: str) -> None:
    began = time.process_time()
    with suppress(SqlError):
        parse(sql)
    assert time.process_time() - began < 6
