"""Peeks that are prepared: what a job would answer, over whatever rows and constants come."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.protocol.vocabulary import CODEC
from compute.render import PreparedPeek, prepare_peek
from compute.replica.peeks.lifting import lift_constants
from compute.replica.peeks.prepared_peeks import HeldRows, PreparedPeeks, is_light
from compute.spark.session import Profile, profile_sessions
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.order.datum_order import row_key
from model.physical.columns import rows_from_arrow, rows_to_arrow
from planner.ir.query import Query
from planner.ir.reads import reads_of
from planner.ir.relation import Finishing, Relation
from tests.compute.test_sql_agrees import QUERIES, by_interpreter, outcome, planned
from tests.planner.query.recorded_queries import tables
from tests.planner.small_catalog import SmallCatalog
from tests.random_queries import TABLES, Queries, insertions

_RANDOM = 24
_LEAST = 0.4
"""The share of queries that are prepared at least: the law must not be kept by preparing none."""


class Preparing:
    """Counts what it prepares."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(
        self, spark: SparkSession, relation: Relation, finishing: Finishing, schemas: Mapping[GlobalId, pa.Schema]
    ) -> PreparedPeek | None:
        self.count += 1
        return prepare_peek(spark, relation, finishing, schemas)


class Asking:
    def __init__(self, spark: SparkSession, scratch: Path) -> None:
        self.preparing = Preparing()
        self._session = profile_sessions(spark)[Profile.SMALL]
        self._peeks = PreparedPeeks(self.preparing, scratch)

    def rows(self, query: Query, catalog: SmallCatalog) -> list[object] | str | None:
        """In order; the SQLSTATE of an error; None when a job is to answer. A thread asks that knows of no session."""
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self._rows, query, catalog).result()

    def _rows(self, query: Query, catalog: SmallCatalog) -> list[object] | str | None:
        gets = reads_of(query.relation).collections
        held = {id_: HeldRows(rows_to_arrow(catalog.rows[id_], get.desc), get.desc.arity) for id_, get in gets.items()}
        try:
            found = self._peeks.answer(self._session, query.relation, query.finishing, held)
            if found is None:
                return None
            plan, batches, _ = found
            rows: list[object] = []
            for batch in batches:
                plan.raise_for(batch)
                shown = batch.select(range(batch.num_columns - 1)) if plan.fallible else batch
                rows += map(row_key(query.desc.types), rows_from_arrow(pa.Table.from_batches([shown]), query.desc))
        except SqlError as error:
            return error.sqlstate.value
        return rows


def filled(statements: tuple[str, ...]) -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in statements:
        catalog.run(statement)
    return catalog


@pytest.mark.spark
def test_a_prepared_peek_answers_as_the_interpreter_does_over_rows_that_come_later_too(
    spark: SparkSession, tmp_path: Path
) -> None:
    asking, wrong, prepared = Asking(spark, tmp_path), [], 0
    catalogs = [filled((*TABLES, *insertions(random.Random(seed), 14))) for seed in (4, 5)]
    for seed in range(_RANDOM):
        sql = Queries(random.Random(seed)).relation(1 + seed % 2).sql
        for catalog in catalogs:
            query = planned(catalog, sql)
            ours = asking.rows(query, catalog)
            if ours is None:
                break
            prepared += 1
            wanted = outcome(query, by_interpreter(catalog, query))
            if (Counter(ours) if isinstance(ours, list) else ours) != wanted:
                wrong.append(f"{seed}: {sql}: prepared {ours!s:.300}, interpreter {wanted!s:.300}")
    assert not wrong, "\n".join(wrong)
    assert prepared >= 2 * _LEAST * _RANDOM
    assert asking.preparing.count <= _RANDOM
    assert list(tmp_path.iterdir()) == []


@pytest.mark.spark
def test_known_shapes_are_prepared_and_answered_as_the_interpreter_does(spark: SparkSession, tmp_path: Path) -> None:
    asking, catalog, wrong = Asking(spark, tmp_path), filled(tuple(tables())), []
    for sql in QUERIES:
        query = planned(catalog, sql)
        ours = asking.rows(query, catalog)
        wanted = outcome(query, by_interpreter(catalog, query))
        if ours is not None and (Counter(ours) if isinstance(ours, list) else ours) != wanted:
            wrong.append(f"{sql}: prepared {ours!s:.300}, interpreter {wanted!s:.300}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.spark
def test_queries_that_differ_in_constants_are_prepared_once(spark: SparkSession, tmp_path: Path) -> None:
    asking = Asking(spark, tmp_path)
    catalog = filled(("create table p (a int, b bigint, c text, v varchar(9))", "create table q (a int, d date)"))
    catalog.run("insert into p select g % 9, g, 'x' || g % 4, 'x' || g % 5 from generate_series(1, 40) g")
    catalog.run("insert into q select g % 7, date '2020-01-01' + g from generate_series(1, 20) g")
    shapes = (
        "select count(*) from p where a > {n} and b < {n} * 10",
        "select c, count(*), sum(b) from p where c <> 'x{n}' group by c order by 2 desc, c",
        "select p.b, q.d from p join q on p.a = q.a where p.a = {n} and q.a >= {n} and q.d <> date '2020-01-0{m}'",
        "select x.a, y.b from p x join p y on x.a = y.b and y.a < {n} where x.b <= {m} order by 1, 2 limit 3",
        "select a from p where a = {n} union all select a from p where a = {m} and c = 'x{n}'",
        "select * from p where b in ({n}, {m}, {n} + 1) or a is null",
        "select * from p where b in ({n}, {m}) and a not in ({m}, {n}) and v in ('x{n}', 'x{m}', 'x3')",
        "select p.* from p join (values ({n}, 'x{m}'), ({m}, 'x{n}')) v (i, t) on p.a = v.i or p.c = v.t",
        "select c from p where a = {n} union all values ('x{m}'), ('x{m}'), (null)",
        "select a from p where not (a = {n} or (b > {m} and c = 'x{n}'))",
    )
    for shape in shapes:
        asking.preparing.count = 0
        for n, m in ((1, 2), (3, 1), (0, 5), (8, 8)):
            query = planned(catalog, shape.format(n=n, m=m))
            ours, wanted = asking.rows(query, catalog), outcome(query, by_interpreter(catalog, query))
            assert isinstance(ours, list) and Counter(ours) == wanted, shape
        assert asking.preparing.count <= 1, shape


def test_plans_that_may_take_long_are_left_to_jobs() -> None:
    catalog = filled(("create table p (a int)",))

    def light(sql: str, rows: int) -> bool:
        query = planned(catalog, sql)
        table = pa.table({"c0": pa.array(range(rows), pa.int32())})
        return is_light(query.relation, dict.fromkeys(reads_of(query.relation).collections, table))

    assert light("select count(*) from p", 10_000) and not light("select count(*) from p", 10_001)
    assert light("select 1 from p x join p y on x.a < y.a", 1_000)
    assert not light("select 1 from p x join p y on x.a < y.a", 2_000)
    assert not light("select 1 from p x, p y, p z", 200)
    assert light("select sum(a) over (order by a) from p", 1_000)
    assert not light("select sum(a) over (order by a) from p", 2_500)
    assert not light("select generate_series(1, a) from p", 1)


def test_lifting_keeps_plans_apart_that_differ_in_more_than_constants() -> None:
    catalog = filled(("create table p (a int, c text)",))

    def shape(sql: str) -> bytes:
        return CODEC.encode(lift_constants(planned(catalog, sql).relation).relation)

    assert shape("select a from p where a > 1") == shape("select a from p where a > 2")
    assert shape("select a from p where c = 'x'") == shape("select a from p where c = 'yy'")
    assert shape("select a from p where a in (1, 2, 3)") == shape("select a from p where a in (7, 5, 6, 4)")
    assert shape("select a from p where a in (1, 2)") != shape("select a from p where a in (1, 2, 3)")
    assert shape("select a from p where a in (1, null)") != shape("select a from p where a in (1, 2)")
    assert shape("select a from p where a in (1, 2)") != shape("select a from p where a not in (1, 2)")
    assert shape("select a from p, (values (1)) v") == shape("select a from p, (values (2), (3)) v")
    for other in ("a >= 1", "a < 1", "a > 1.5", "a > null::int", "a > 1 and c = 'x'", "a + 1 > 1", "1 > a"):
        assert shape("select a from p where a > 1") != shape(f"select a from p where {other}"), other
