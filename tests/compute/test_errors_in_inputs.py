"""A collection in which errors lie as rows (a materialized view's) gives them to every query that reads it."""

from __future__ import annotations

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from compute.render import render_peek
from compute.spark.collect import collect_batches
from model.errors.sql_error import SqlError
from model.ids.global_id import GlobalId
from model.types.relation_desc import relation_desc
from model.types.scalar_type import BOOL, INT4, INT8, TEXT
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Filter, Finishing, Get, Join, JoinKind, Project, Reduce, Relation
from planner.ir.scalar import Call, Column, Literal

pytestmark = pytest.mark.spark

VIEW = GlobalId.user(7)
GET = Get(VIEW, relation_desc(("a", INT4), ("b", TEXT)))
_ONE = Call("eq_int4_int4", (Column(0, INT4), Literal(1, INT4)), BOOL)
_EQUAL = Call("eq_int4_int4", (Column(0, INT4), Column(2, INT4)), BOOL)
_COUNT = Aggregate("count_star", (), INT8)
RELATIONS: dict[str, Relation] = {
    "as it is": GET,
    "no column of it": Project(GET, ()),
    "some rows": Filter(GET, (_ONE,)),
    "a count": Reduce(GET, (), (_COUNT,), ("n",)),
    "a join": Join(JoinKind.INNER, GET, GET, (_EQUAL,)),
}


def _answer(spark: SparkSession, relation: Relation, arity: int, errors: list[str | None]) -> list[pa.RecordBatch]:
    rows = [(None, None, error) if error else (at, "x", None) for at, error in enumerate(errors)]
    frame = spark.createDataFrame(rows, "c0 int, c1 string, err string")
    rendered = render_peek(spark, relation, Finishing((), None, None, tuple(range(arity))), {VIEW: frame})
    assert rendered.fallible
    batches: list[pa.RecordBatch] = []
    collect_batches(rendered.dataframe, batches.append)
    return [rendered.rows_of(batch) for batch in batches]


@pytest.mark.parametrize("name", RELATIONS)
def test_a_live_error_is_the_answer_of_whatever_reads_it(spark: SparkSession, name: str) -> None:
    arity = {"no column of it": 0, "a count": 1, "a join": 4}.get(name, 2)
    with pytest.raises(SqlError) as raised:
        _answer(spark, RELATIONS[name], arity, [None, "22012 division by zero", None, "22003 integer out of range"])
    assert raised.value.sqlstate.value in ("22003", "22012")
    assert raised.value.message in ("integer out of range", "division by zero")


def test_without_an_error_the_rows_are_the_answer(spark: SparkSession) -> None:
    (batch,) = _answer(spark, RELATIONS["some rows"], 2, [None, None])
    assert batch.to_pylist() == [{"c0": 1, "c1": "x"}]
