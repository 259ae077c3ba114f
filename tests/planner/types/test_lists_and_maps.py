"""Lists and maps in SQL: how they are written, what their functions answer, what is refused at which place."""

from __future__ import annotations

import random

import pytest

from model.errors.sql_error import SqlError
from model.text.dispatch import format_datum
from model.types.scalar_type import INT4, INT8, TEXT, ScalarType, list_of, map_of, numeric
from planner.interpret.evaluate import evaluate_query
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize
from planner.syntax.parse import parse
from tests.planner.rules.typecheck import check_query
from tests.planner.small_catalog import SmallCatalog


def _answer(sql: str) -> tuple[list[tuple[str | None, ...]], tuple[ScalarType, ...]]:
    """The rows in text, the same as planned and as optimized; and their types."""
    catalog = SmallCatalog()
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    query = plan.query
    optimized = Query(optimize(query.relation), query.finishing, query.desc)
    check_query(query)
    check_query(optimized)
    rows = evaluate_query(optimized, catalog.evaluation())
    assert evaluate_query(query, catalog.evaluation()) == rows
    types = query.desc.types
    return [tuple(None if v is None else format_datum(v, t) for v, t in zip(row, types)) for row in rows], types


_EXPRESSIONS = {
    "'{1,2}'::int list": "{1,2}",
    "CAST('{{a},{}}' AS varchar(3) list list)": "{{a},{}}",
    "'{a=>{b=>1}}'::map[text=>map[text=>double precision]]": "{a=>{b=>1}}",
    "'{{1,2}}'::int[] list": "{{1,2}}",
    "LIST[1, NULL, 1 + 2]": "{1,NULL,3}",
    "LIST[[1], [2, 3], []]::int8 list list": "{{1},{2,3},{}}",
    "LIST[LIST[1], ARRAY[2, 3]::int list]": "{{1},{2,3}}",
    "MAP['b' => 1, 'a' => NULL, 'b' => 2, NULL => 3]": "{a=>NULL,b=>2}",
    "MAP['a' => ['b' => [ 'c' => 1]]]": "{a=>{b=>{c=>1}}}",
    "LIST[]::int list": "{}",
    "MAP[]::map[text=>int]": "{}",
    "LIST['1', '2']::int list": "{1,2}",
    "LIST[[1, 2], [3]][1][2]": "2",
    "LIST[1, 2, 3][2:3]": "{2,3}",
    "LIST[1, 2, 3][:2]": "{1,2}",
    "LIST[1, 2, 3][2:]": "{2,3}",
    "LIST[1, 2, 3][0:1]": "{1}",
    "LIST[1, 2, 3][3:2]": "{}",
    "(LIST[1])[0]": None,
    "(LIST[1])[2]": None,
    "LIST[ARRAY[4, 5]][1][2]": "5",
    "LIST[1] || LIST[2]": "{1,2}",
    "LIST[1] || 2": "{1,2}",
    "0 || LIST[1]": "{0,1}",
    "LIST[1] || '{2}'": "{1,2}",
    "LIST[LIST[1]] || LIST[2]": "{{1},{2}}",
    "LIST[1] || 2.5": "{1,2.5}",
    "list_append(NULL::int list, 1)": "{1}",
    "list_prepend(1, LIST[2])": "{1,2}",
    "list_cat(LIST[1], NULL)": "{1}",
    "list_length(LIST[1, NULL])": "2",
    "list_n_layers(LIST[[1]])": "2",
    "list_remove(LIST[1, 2, 1, NULL], 1)": "{2,NULL}",
    "list_remove(LIST[1, NULL], NULL)": "{1}",
    "LIST[1, 2] @> LIST[2]": "t",
    "LIST[NULL::int] <@ LIST[NULL::int]": "f",
    "LIST[1] < LIST[1, 0] AND LIST[1, 9] < LIST[2] AND LIST[2] < LIST[NULL::int]": "t",
    "LIST[1] = LIST[1.0]": "t",
    "MAP['a' => 1] < MAP['a' => 2] AND MAP['a' => 1] <> MAP['b' => 1]": "t",
    "MAP['a' => LIST[1]] -> 'a'": "{1}",
    "MAP['a' => 1] -> 'b'": None,
    "MAP['a' => 1, 'b' => 2] @> MAP['b' => 2]": "t",
    "MAP['a' => 1] <@ MAP['a' => 2]": "f",
    "MAP['a' => 1] ? 'a'": "t",
    "MAP['a' => 1] ?& ARRAY['a', 'b']": "f",
    "MAP['a' => 1] ?| LIST['a', 'b']": "t",
    "map_length(MAP['a' => 1])": "1",
    "pg_typeof(LIST[1])": "integer list",
    "pg_typeof(MAP['a' => LIST['x']])": "map[text=>text list]",
    "LIST[1.255]::numeric(4, 2) list": "{1.26}",
    "ARRAY[1, 2]::text list": "{1,2}",
    "LIST[1, 2]::int8[]": "{1,2}",
    "LIST['2024-01-01'::date]::text": "{2024-01-01}",
    "'{1,2}'::text::int list": "{1,2}",
    "to_jsonb(MAP['a' => LIST[1, NULL]])": '{"a": [1, null]}',
    "COALESCE(NULL, LIST[1])": "{1}",
    "1 = ANY (LIST[1, 2]) AND NOT 3 < ALL (LIST[2.5]) AND LIST[1] = ANY (LIST[LIST[1]])": "t",
}


@pytest.mark.parametrize(("expression", "expected"), _EXPRESSIONS.items())
def test_expressions(expression: str, expected: str | None) -> None:
    rows, _ = _answer(f"SELECT {expression}")
    assert rows == [(expected,)]


_RECURSIVE = (
    "WITH MUTUALLY RECURSIVE r (a int list) AS (VALUES (LIST[1]) UNION SELECT a[:1] || 2 FROM r)"
    " SELECT a FROM r ORDER BY a"
)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        (
            "SELECT list_agg(x ORDER BY x DESC), map_agg('k' || x, x) FROM generate_series(1, 2) x",
            [("{2,1}", "{k1=>1,k2=>2}")],
        ),
        ("SELECT list_agg(x), map_agg('a', x) FROM generate_series(1, 0) x", [(None, None)]),
        ("SELECT * FROM unnest(LIST['a', NULL])", [("a",), (None,)]),
        ("SELECT * FROM unnest(MAP['a' => 1, 'b' => NULL])", [("a", "1"), ("b", None)]),
        ("SELECT x FROM (VALUES (LIST[2]), (NULL), (LIST[1, 5])) v (x) ORDER BY x", [("{1,5}",), ("{2}",), (None,)]),
        ("SELECT x, count(*) FROM (VALUES (MAP['a' => 1]), ('{a=>1}')) v (x) GROUP BY x", [("{a=>1}", "2")]),
        ("SELECT list[1] FROM (VALUES (ARRAY[7])) t (list)", [("7",)]),
        ("SELECT list FROM (VALUES (1)) t (list)", [("1",)]),
        ("SELECT list[1][2], list[1:1] FROM (VALUES (ARRAY[[1, 2]])) t (list)", [("2", "{{1,2}}")]),
        ("SELECT map[1] FROM (VALUES (ARRAY[5])) t (map)", [("5",)]),
        (
            _RECURSIVE,
            [("{1}",), ("{1,2}",)],
        ),
    ],
)
def test_queries(sql: str, expected: list[tuple[str | None, ...]]) -> None:
    assert _answer(sql)[0] == expected


def test_types_are_those_of_the_members() -> None:
    _, types = _answer("SELECT LIST[1, 2::int8], MAP['a' => 'x'], '{}'::numeric(4, 2) list list, LIST[[1]] || LIST[2]")
    assert types == (list_of(INT8), map_of(TEXT), list_of(list_of(numeric(4, 2))), list_of(list_of(INT4)))


@pytest.mark.parametrize(
    ("sql", "sqlstate", "place"),
    [
        ("SELECT LIST[1,,2]", "42601", 14),
        ("SELECT 'é', LIST[1, nope]", "42703", 21),
        ("SELECT LIST[]", "42P18", 8),
        ("SELECT LIST[*]::int list", "42601", 8),
        ("SELECT LIST[DISTINCT 1]", "42601", 8),
        ("SELECT LIST[1 ORDER BY 1]", "42601", 8),
        ("SELECT LIST[1] OVER ()", "42601", 8),
        ("SELECT MAP['a' => 1, 2]", "42601", 16),
        ("SELECT LIST[[]]", "42P18", 8),
        ("SELECT LIST[1, 'x']", "22P02", 16),
        ("SELECT LIST[[1], 2]", "42804", 18),
        ("SELECT '{1}x'::int list", "22P02", 8),
        ("SELECT ''::nope list", "42704", 12),
        ("SELECT 1::int list", "42846", 9),
        ("SELECT ''::map[int=>int]", "0A000", 16),
        ("SELECT LIST(SELECT 1)", "0A000", 8),
        ("SELECT '{}'::int list[]", "0A000", 14),
        ("SELECT ARRAY[LIST[1]]", "0A000", 8),
        ("SELECT array_agg(LIST[1])", "42883", 8),
        ("SELECT LIST[ROW(1)]", "0A000", 8),
        ("SELECT (MAP['a' => 1])['a']", "42804", 9),
        ("SELECT LIST[1] || 'x'::text", "42883", 16),
        ("CREATE TABLE t (a int list DEFAULT LIST[1])", "0A000", 36),
        ("CREATE TABLE t (a list)", "42704", 19),
    ],
)
def test_what_is_refused_says_where(sql: str, sqlstate: str, place: int) -> None:
    with pytest.raises(SqlError) as refused:
        SmallCatalog().plan(sql)
    assert (refused.value.sqlstate.value, refused.value.position) == (sqlstate, place)


_WORDS = """
    SELECT LIST MAP [ ] ( ) , => 'a' 1 :: int list map text x AS cast : . double precision [] é column || with time zone
"""


def _place_of_error(sql: str) -> int | None:
    try:
        parse(sql)
    except SqlError as error:
        return error.position
    return None


def test_any_words_in_any_order_are_parsed_or_refused_at_their_place() -> None:
    starts = ("", "SELECT ", "SELECT LIST[", "SELECT MAP[", "SELECT ''::map[text=>", "CREATE TABLE t (a ")
    dice = random.Random(5)
    for _ in range(3000):
        words = dice.choices(_WORDS.split(), k=dice.randint(1, 14))
        sql = dice.choice(starts) + dice.choice(("", " ")).join(words)
        assert 1 <= (_place_of_error(sql) or 1) <= len(sql) + 1, sql


def test_a_word_is_a_list_where_a_type_stands_only() -> None:
    for sql in ("SELECT a list FROM t", "SELECT (SELECT b list), c map", "SELECT json_object(k VALUE list)"):
        (statement,) = parse(sql)
        assert statement.members.types == {}, sql
    (statement,) = parse("CREATE TABLE t (list int list, b map[text=>int list] NOT NULL, c text)")
    assert [shape.suffixes for shape in statement.members.types.values()] == [("list",), ("list",), ()]
