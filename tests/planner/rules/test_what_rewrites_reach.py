"""What each rewrite is for, in plans that a person can read."""

from __future__ import annotations

import pytest

from planner.explain import explain
from planner.plans.queries import SelectPlan
from planner.rules.fold_constants import fold_constants
from planner.rules.pipeline import optimize
from tests.planner.query.recorded_queries import tables
from tests.planner.small_catalog import SmallCatalog


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in tables():
        catalog.run(statement)
    return catalog


def plan(catalog: SmallCatalog, sql: str) -> SelectPlan:
    found = catalog.plan(sql)
    assert isinstance(found, SelectPlan)
    return found


GOLDEN = {
    # Conditions reach the tables, and what connects them the join; of each table two columns are read.
    "select t.b from t, s where t.a = s.a and s.d > '2020-01-01' and t.b = 'x'": """\
Project (#1)
  Inner join on eq_int8_int8(cast_int4_int8(#0), #2)
    Filter eq_text_text(#1, 'x')
      Project (#0, #1)
        Read u1
    Project (#0)
      Filter gt_date_date(#1, '2020-01-01')
        Project (#0, #1)
          Read u2""",
    # Tables that nothing connects wait until something does.
    "select 1 from t, v, s where t.a = s.a and s.d = v.x::date and t.b = v.x": """\
Project (#1)
  Map 1
    Project (#0)
      Filter eq_date_date(#1, cast_varchar_date(#0, time_zone(), now(), date_style()))
        Project (#1, #3)
          Inner join on eq_int8_int8(cast_int4_int8(#0), #2)
            Project (#0, #2)
              Inner join on eq_text_text(#1, cast_varchar_text(#2))""",
    # A condition that can fail judges no row that the join leaves out.
    "select t.b from t join s on t.a = s.a where 1 / t.a > 0": """\
Project (#1)
  Filter gt_int4_int4(divide_int4_int4(1, #0), 0)
    Project (#0, #1)
      Inner join on eq_int8_int8(cast_int4_int8(#0), #2)""",
    # A condition on a group's key chooses rows before they are grouped.
    "select * from (select b, count(*) as n from t group by b) q where b = 'x' and n > 1": """\
Filter gt_int8_int8(#1, 1)
  Reduce by #0 to count_star()
    Filter eq_text_text(#0, 'x')
      Project (#1)
        Read u1""",
    # IN is a semi join, and what it looks up is one column.
    "select b from t where a in (select a from s where d is null)": """\
Project (#1)
  Semi join on eq_int8_int8(cast_int4_int8(#0), #2)
    Project (#0, #1)
      Read u1
    Project (#0)
      Filter is_null_any(#1)
        Project (#0, #1)
          Read u2""",
    "select a from t where false": "Constant nothing",
}


@pytest.mark.parametrize("sql", list(GOLDEN))
def test_an_optimized_plan_reads_so(sql: str, catalog: SmallCatalog) -> None:
    text = explain(optimize(plan(catalog, sql).query.relation), str)
    assert text[: len(GOLDEN[sql])] == GOLDEN[sql], text


@pytest.mark.parametrize(
    ("expression", "folded"),
    [
        ("1 + 2 * 3", "7"),
        ("upper('a') || 'b'", "'Ab'"),
        ("case when true then 1 else 1 / 0 end", "1"),
        ("case when a > 1 then 1 / 0 end", "case when gt_int4_int4(#0, 1) then divide_int4_int4(1, 0) else null end"),
        ("coalesce(null, 5, 1 / 0)", "5"),
        ("a > 0 and 1 = 1", "gt_int4_int4(#0, 0)"),
        ("1 = 2 and 1 / 0 = 1", "false"),
        ("null::int + 1", "null"),
        ("1 / 0", "divide_int4_int4(1, 0)"),
        ("now()", "now()"),
    ],
)
def test_folding_raises_nothing_that_a_guard_keeps_from_running(
    expression: str, folded: str, catalog: SmallCatalog
) -> None:
    relation = fold_constants(plan(catalog, f"select {expression} as x, b from t").query.relation)
    text = explain(relation, str)
    mapped = next((line.strip() for line in text.splitlines() if "Map" in line), "")
    assert mapped == f"Map {folded}"
