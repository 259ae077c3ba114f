"""Queries that read what reads something twice, and so on: answered while that can be, else refused, and never planned
without end."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.maintain.plan import size_of_plan
from compute.maintain.planning.maintained import plan_maintenance
from compute.render import render_peek
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.physical.columns import rows_from_arrow, rows_to_arrow
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, NUMERIC
from planner.ir.reads import reads_of
from planner.ir.relation import Filter, Finishing, Get, Join, JoinKind, Let, LocalGet, Project, Recursive, Relation
from planner.ir.scalar import Call, Column, Literal
from planner.ir.size import UNFOLDED_MAX, unfolded_size
from planner.ir.visit import map_relation
from planner.rules.inline_views import inline_views
from planner.rules.pipeline import optimize_maintained
from tests.compute.test_sql_agrees import planned
from tests.planner.small_catalog import SmallCatalog

_DESC = relation_desc(("a", INT4))
_TABLE = GlobalId.user(1)
_EQUAL = Call("eq_int4_int4", (Column(0, INT4), Column(1, INT4)), BOOL)


def doubling(times: int) -> Relation:
    """WITH c0 AS t, c1 AS (c0 JOIN c0), …: the last of them."""
    body: Relation = LocalGet(times, _DESC)
    for number in reversed(range(times)):
        twice = Join(JoinKind.INNER, LocalGet(number, _DESC), LocalGet(number, _DESC), (_EQUAL,))
        body = Let(number + 1, Project(twice, (0,)), body)
    return Let(0, Get(_TABLE, _DESC), body)


@pytest.mark.spark
@pytest.mark.parametrize("times", [3, 10])
def test_what_is_read_twice_each_time_is_computed_once(spark: SparkSession, times: int) -> None:
    frame: DataFrame = spark.createDataFrame([(1,), (2,), (3,)], "c0 INT")
    relation = doubling(times)
    peek = render_peek(spark, relation, Finishing((), None, None, (0,)), {_TABLE: frame})
    found = peek.rows_of(peek.dataframe.toArrow())
    assert sorted(rows_from_arrow(found, _DESC)) == [(1,), (2,), (3,)]


@pytest.mark.spark
def test_a_condition_is_not_unfolded_where_the_optimizer_would_move_it(spark: SparkSession) -> None:
    """A division of numerics takes nine projections, each of which uses several times what those below it name."""
    frame: DataFrame = spark.createDataFrame([(Decimal(2),), (Decimal(5),), (Decimal(9),)], "c0 DECIMAL(38, 18)")
    desc = relation_desc(("a", NUMERIC))
    ten, column = Literal(Decimal(10), NUMERIC), Column(0, NUMERIC)
    quotient = Call("divide_numeric_numeric", (ten, column), NUMERIC)
    more = Call("gt_numeric_numeric", (quotient, Literal(Decimal("1.5"), NUMERIC)), BOOL)
    relation = Filter(Get(_TABLE, desc), (more,))
    peek = render_peek(spark, relation, Finishing((), None, None, (0,)), {_TABLE: frame})
    jvm_plan: Any = peek.dataframe._jdf
    assert len(jvm_plan.queryExecution().executedPlan().toString()) < 100_000
    found = peek.rows_of(peek.dataframe.toArrow())
    assert sorted(rows_from_arrow(found, desc)) == [(Decimal(2),), (Decimal(5),)]


@pytest.mark.in_part(4)
@pytest.mark.spark
@pytest.mark.parametrize(
    "sql",
    [
        "select a from t where a > (select avg(a) from t s where s.b = t.b)",
        "select b, max(a) from t group by b having max(a) > (select avg(a) from t)",
        "select b from t group by b having avg(a) > avg(c)",
        "select b from t group by b having avg(a) > 1 and avg(c) < 5 and avg(a) < avg(c)",
        "select b, avg(a), avg(c) from t group by b having avg(a) / avg(c) > avg(a + c)",
    ],
)
def test_an_average_that_is_compared_is_not_unfolded(sql: str, spark: SparkSession) -> None:
    catalog = SmallCatalog()
    catalog.run("create table t (a int, b text, c numeric)")
    query = planned(catalog, sql)
    frames: dict[GlobalId, DataFrame] = {
        id_: spark.createDataFrame(rows_to_arrow([(1, "x", Decimal(1)), (2, "x", Decimal(5))], get.desc))
        for id_, get in reads_of(query.relation).collections.items()
    }
    peek: Any = render_peek(spark, query.relation, query.finishing, frames).dataframe._jdf
    assert len(peek.queryExecution().executedPlan().toString()) < 30_000


_NESTED = {
    "trunc": "trunc({0}, {1})",
    "round": "round({0}, 7 - {1})",
    "greatest": "greatest({0}, {1}.5)",
    "least": "least({0}, {1}.25)",
    "coalesce": "coalesce({0}, {1}.5)",
    "nullif": "nullif({0}, {1}.5)",
    "case": "case when {0} > {1} then {0} else {1}.5 end",
    "quotient": "({0}) / (y + {1})",
    "div": "div({0}, {1})",
    "text": "(({0})::text)::numeric",
    "trunc of case": "case when trunc({0}, 2) > {1} then {0} else {1}.5 end",
    "trunc of nullif": "nullif(trunc({0}, 2), {1})",
    "trunc of quotient": "trunc(2.00 / nullif({0}, {1}), 3)",
    "json of quotient": "(to_jsonb(({0}) / y) ->> 0)::numeric",
    "all": "trunc(greatest(0.00 / nullif({0}, 0), 2.0), 1)",
}
_LEVEL_MAX = 16_000
"""Characters of a plan that a level of `_NESTED` may add; the longest, a quotient and what lies around, adds 9,000."""


@pytest.mark.in_part(6, first=2)
@pytest.mark.spark
@pytest.mark.parametrize("form", _NESTED.values(), ids=_NESTED)
def test_a_nested_expression_of_numerics_takes_a_plan_of_its_own_length(form: str, spark: SparkSession) -> None:
    nested = "x / y"
    for depth in range(1, 7):
        nested = form.format(nested, depth)
        # Two levels tell what one adds, and six what doubles; three have more than two and less than six.
        if depth in (2, 6):
            assert _plan_size(spark, f"select {nested} from t") < (depth + 1) * _LEVEL_MAX, nested


@pytest.mark.in_part(6)
@pytest.mark.spark
@pytest.mark.parametrize(
    "sql",
    [
        "select trunc(q, 1) from (select 2 / nullif(p, 0) q from (select trunc(x, 1) p from t offset 0) s offset 0) u",
        "select count(*) from t group by to_jsonb(2.00 / nullif(trunc(x, 1), 0))",
        "select x from t order by to_jsonb(2.00 / nullif(trunc(x, 1), 0)), trunc(2.00 / nullif(trunc(y, 1), 0), 1)",
        "select x from t where trunc(2.00 / nullif(trunc(x, 1), 0), 1) > 1 and trunc(y, 1) > 0",
        "select sum(trunc(2.00 / nullif(trunc(x, 1), 0), 1)) from t group by trunc(y / nullif(trunc(x, 1), 0), 1)",
        "select max(trunc(x, 1)) over (partition by trunc(y / nullif(trunc(x, 1), 0), 1)) from t",
        "select 1 from t a join t b on trunc(a.x / nullif(trunc(b.y, 1), 0), 1) = b.x",
        "select 1 from t a left join t b on trunc(a.x / nullif(trunc(b.y, 1), 0), 1) = b.x",
    ],
)
def test_python_above_quotients_above_python_is_not_unfolded(sql: str, spark: SparkSession) -> None:
    assert _plan_size(spark, sql) < 3 * _LEVEL_MAX


def _plan_size(spark: SparkSession, sql: str) -> int:
    """The length of the plan that Spark makes of a query over t (x, y), whose rows are not known as it is planned."""
    catalog = SmallCatalog()
    catalog.run("create table t (x numeric, y numeric)")
    query = planned(catalog, sql)
    rows = spark.range(2).selectExpr("CAST(id + 1.5 AS DECIMAL(38,18)) c0", "CAST(id + 2 AS DECIMAL(38,18)) c1")
    frames = dict.fromkeys(reads_of(query.relation).collections, rows)
    peek: Any = render_peek(spark, query.relation, query.finishing, frames).dataframe._jdf
    return len(peek.queryExecution().executedPlan().toString())


def test_the_unfolded_size_is_told_without_unfolding() -> None:
    assert unfolded_size(doubling(3)) == 8 + 2 * 7
    assert unfolded_size(doubling(200)) > 2**200


def test_a_maintained_view_makes_what_is_read_twice_each_time_once() -> None:
    view = GlobalId.user(2)

    def size(times: int) -> int:
        return size_of_plan(plan_maintenance(((view, optimize_maintained(doubling(times))),), (view,)))

    assert size(40) - size(30) == size(30) - size(20), "each reads what there is, and unfolds nothing"


def test_what_is_recomputed_is_unfolded() -> None:
    view, size = GlobalId.user(2), UNFOLDED_MAX
    desc = relation_desc(("a", INT4))
    recursive = Recursive(1000, Get(_TABLE, desc), _within(doubling(20), 1000), False)
    assert size_of_plan(plan_maintenance(((view, recursive),), (view,))) > size


def _within(relation: Relation, local_id: int) -> Relation:
    """The relation over the rows of a round in place of the table."""
    return map_relation(relation, lambda node: LocalGet(local_id, _DESC) if isinstance(node, Get) else node)


def test_views_of_views_that_double_are_refused() -> None:
    def view(id_: GlobalId) -> Relation | None:
        if id_ == _TABLE:
            return None
        below = Get(replace(id_, number=id_.number - 1), _DESC)
        return Project(Join(JoinKind.INNER, below, below, (_EQUAL,)), (0,))

    assert unfolded_size(inline_views(Get(GlobalId.user(5), _DESC), view)) <= UNFOLDED_MAX
    with pytest.raises(SqlError) as raised:
        inline_views(Get(GlobalId.user(60), _DESC), view)
    assert raised.value.sqlstate is Sqlstate.STATEMENT_TOO_COMPLEX
