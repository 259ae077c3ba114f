"""Whole queries, from their text: Spark's rows are the interpreter's, or both fail with the same SQLSTATE.

Among them are the recorded ordered-set aggregates, of whose groups only rows that they read are gathered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.render import RenderedPeek, render_peek
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow, rows_to_arrow
from planner.interpret.evaluate import evaluate_query
from planner.interpret.parameters import bind_relation
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.plans.queries import SelectPlan
from planner.rules.pipeline import optimize
from tests.plan_features import showing
from tests.planner.query.recorded_queries import tables
from tests.planner.small_catalog import SESSION, SmallCatalog
from tests.slt.records import Query as Asked
from tests.slt.records import Record, files, parse

QUERIES = (
    "select a, b, count(*), sum(c), grouping(a, b) from t group by cube (a, b)",
    "select a, b, a + 1, sum(c), grouping(b, a + 1) from t group by cube (a, b, a + 1, c) having grouping(a) = 0",
    "select a, mode() within group (order by c), rank(a) within group (order by a) from t group by cube (a, b, c, 1)",
    "select count(*) from (select 1 / (a - a), b from t union all select c::int, b from t) q",
    "select count(*) from (select 1 / (a - a) as x from t limit 2) q",
    "select b from (select 1 / (a - a) as x, b, a from t order by a, b limit 2) q",
    "select n from (select sum(1 / (a - a)) over () as x, row_number() over (order by a, b) as n from t) q",
    "with w as (select 1 / (a - a) as x, b from t) select (select count(*) from w), b from t",
    "with w as (select 1 / (a - a) as x, b from t) select count(*) from w union all select 1 from w union all select 2",
    "select count(*) from (select sum(1 / (a - a)) as x, count(*) from t) q",
    "select count(*) from t z, lateral (select 1 / (z.a - t.a) as x from t where t.a = z.a limit 2) q",
    "select count(*) from (select 1 / 0 as x) q",
    "select a, rank() over (partition by grouping(a) order by count(*)) from t group by rollup (a)",
    "select count(*) from t where false group by grouping sets ((), (a), ())",
    "select percentile_cont(0.5) within group (order by a), mode() within group (order by b desc) from t",
    "select a, percentile_disc(array[0.1, 0.9]) within group (order by b) from t group by a",
    "select percentile_cont(a) within group (order by c) from t group by a",
    "select rank(2) within group (order by a), dense_rank(2) within group (order by a desc nulls last) from t",
    "select dense_rank(3, 'a') within group (order by a, b), cume_dist(2) within group (order by a) from t group by a",
    "select a from t order by a offset 1 fetch first 1 rows with ties",
    "select percent_rank(2) within group (order by a) from t where false",
    "select a, (select max(n) from (select row_number() over (order by s.d) n from s where s.a = t.a) q) from t",
    "select * from (select a, b, row_number() over (partition by a order by c) n from t) q where n = 1 and a < 3",
    "select e, count(*) over (order by e range between '3 years' preceding and '1 day' following) from s",
    "select f, sum(f) over (order by f range between 1 preceding and 1 following) from v",
    "select d, last_value(a) over (order by d groups 1 preceding) from s",
    "select a, lag(b, a, 'none') over (order by a, b) from t",
)
(ORDERED_SETS,) = (parse(path.read_text()) for path in files() if path.stem == "ordered_sets")


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in (*tables(), *(record.sql for record in ORDERED_SETS if not asks(record))):
        catalog.run(statement)
    return catalog


def asks(record: Record) -> bool:
    return isinstance(record, Asked) or record.sql.startswith("SELECT")


def planned(catalog: SmallCatalog, sql: str) -> Query:
    plan = catalog.plan(sql)
    assert isinstance(plan, SelectPlan)
    return replace(plan.query, relation=bind_relation(optimize(plan.query.relation), (), SESSION))


def outcome(query: Query, rows: Iterator[Counter[object]]) -> Counter[object] | str:
    try:
        return next(rows)
    except SqlError as error:
        return error.sqlstate.value


def by_interpreter(catalog: SmallCatalog, query: Query) -> Iterator[Counter[object]]:
    yield Counter(map(row_key(query.desc.types), evaluate_query(query, catalog.evaluation())))


def rendered(catalog: SmallCatalog, query: Query, spark: SparkSession) -> RenderedPeek:
    frames: dict[GlobalId, DataFrame] = {
        id_: spark.createDataFrame(rows_to_arrow(catalog.rows[id_], get.desc))
        for id_, get in reads_of(query.relation).collections.items()
    }
    return render_peek(spark, query.relation, query.finishing, frames)


def by_spark(catalog: SmallCatalog, query: Query, spark: SparkSession) -> Iterator[Counter[object]]:
    peek = rendered(catalog, query, spark)
    yield Counter(map(row_key(query.desc.types), rows_from_arrow(peek.rows_of(peek.dataframe.toArrow()), query.desc)))


@pytest.mark.spark
def test_queries_agree_with_the_interpreter(spark: SparkSession, catalog: SmallCatalog, whole: bool) -> None:
    """Every run tries few queries that show together what all show."""
    texts = (*QUERIES, *(record.sql for record in ORDERED_SETS if asks(record)))
    queries = {sql: planned(catalog, sql) for sql in texts}
    wrong = []
    for sql in queries if whole else showing({sql: query.relation for sql, query in queries.items()}):
        query = queries[sql]
        wanted, ours = outcome(query, by_interpreter(catalog, query)), outcome(query, by_spark(catalog, query, spark))
        if wanted != ours:
            wrong.append(f"{sql}: Spark {ours!s:.300}, interpreter {wanted!s:.300}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.in_part(8)
@pytest.mark.spark
@pytest.mark.parametrize("aggregate", ["mode()", "percentile_disc(0.5)", "percentile_disc(ARRAY[0.1, 0.5])"])
@pytest.mark.parametrize("value", ["i", "f", "t", "v", "a"])
def test_only_rows_at_places_that_are_read_are_gathered(
    spark: SparkSession, catalog: SmallCatalog, aggregate: str, value: str
) -> None:
    query = planned(catalog, f"SELECT k, {aggregate} WITHIN GROUP (ORDER BY {value}) FROM o GROUP BY k")
    text = rendered(catalog, query, spark).sql
    gathered = re.findall(r"collect_list\(named_struct\([^()]*\)\) FILTER \(WHERE .* AND \(place0 = 1 OR ", text)
    assert len(gathered) == text.count("collect_list") == (aggregate != "mode()")
