"""Prepared queries: what a job answers, they answer, however often and over whatever rows."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from compute.spark.prepared import PreparedQuery

pytestmark = pytest.mark.spark

SCHEMA = pa.schema([("k", pa.int32()), ("x", pa.int64()), ("s", pa.string()), ("d", pa.decimal128(12, 2))])
QUERIES = {
    "filter": "SELECT xxhash64(k, s) AS h, x + 1 AS y, s, d FROM {a} WHERE x % 3 = 0",
    "explode": "SELECT k, item FROM (SELECT k, explode(sequence(1L, x % 4 + 1)) AS item FROM {a})",
    "union": "SELECT k, x FROM {a} UNION ALL SELECT x, k FROM {b} WHERE k > 2",
    "of a union": "SELECT k, count(*) AS n FROM (SELECT k FROM {a} UNION ALL SELECT k FROM {b}) GROUP BY k",
    "aggregate": "SELECT k, count(*) AS n, max(s) AS s, sum(d) AS d, collect_list(x) AS xs FROM {a} GROUP BY k",
    "distinct": "SELECT k, count(DISTINCT s) AS a FROM {a} GROUP BY k",
    "window": "SELECT k, x, row_number() OVER w AS n, sum(x) OVER (PARTITION BY k) AS t FROM {a}"
    " WINDOW w AS (PARTITION BY k ORDER BY x DESC, s)",
    "top": "SELECT * FROM (SELECT k, x, row_number() OVER (PARTITION BY k ORDER BY x, s) AS n FROM {a}) WHERE n <= 2",
    "sorted": "SELECT k, x, s FROM {a} ORDER BY x, s, k LIMIT 3",
}
JOBS_ONLY = {
    "two distinct": "SELECT k, count(DISTINCT s) AS a, count(DISTINCT x) AS b FROM {a} GROUP BY k",
    "exchange": "SELECT /*+ REPARTITION(2, k) */ k FROM {a}",
    "subquery": "SELECT k, (SELECT max(x) FROM {b}) AS m FROM {a}",
    "join": "SELECT l.k, l.x, r.s FROM {a} AS l JOIN {b} AS r ON l.k = r.k",
    "cross join": "SELECT l.k, r.x FROM {a} AS l CROSS JOIN {b} AS r",
}


def prepared(spark: SparkSession, name: str, text: str) -> PreparedQuery | None:
    """Over views that only it reads."""
    from compute.spark.prepared import open_view, prepare
    from compute.spark.session import Profile, profile_sessions

    session = profile_sessions(spark)[Profile.PREPARED]
    views = [open_view(session, f"{name.replace(' ', '_')}_{letter}", SCHEMA) for letter in "ab"]
    return prepare(session, text.format(a=views[0].name, b=views[1].name), views)


def rows_of(name: str, query: PreparedQuery, a: pa.Table, b: pa.Table, scratch: Path) -> list[str]:
    scratch.mkdir(exist_ok=True)
    tables = {f"{name.replace(' ', '_')}_{letter}": table for letter, table in zip("ab", (a, b)) if table.num_rows}
    return in_order(list(query.run(tables, scratch)))


def in_order(batches: Sequence[pa.RecordBatch]) -> list[str]:
    return sorted(repr(list(row.values())) for batch in batches for row in batch.to_pylist())


def table(count: int, seed: int) -> pa.Table:
    numbers = [(i * 7919 + seed) % 101 for i in range(count)]
    columns = [
        [n % 5 if n % 11 else None for n in numbers],
        numbers,
        [f"{n % 7}" if n % 13 else None for n in numbers],
        numbers,
    ]
    return pa.table([pa.array(values, type_) for values, type_ in zip(columns, SCHEMA.types)], schema=SCHEMA)


@pytest.mark.parametrize("name", QUERIES)
def test_a_prepared_query_answers_as_a_job_does(name: str, spark: SparkSession, tmp_path: Path) -> None:
    query = prepared(spark, name, QUERIES[name])
    assert query is not None
    for a, b in ((table(10, 1), table(4, 2)), (table(0, 0), table(3, 3)), (table(5_000, 4), table(2, 5))):
        spark.createDataFrame(a).createOrReplaceTempView("job_a")
        spark.createDataFrame(b).createOrReplaceTempView("job_b")
        expected = spark.sql(QUERIES[name].format(a="job_a", b="job_b")).toArrow().to_batches()
        assert rows_of(name, query, a, b, tmp_path) == in_order(expected)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.in_part(4)
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_answers_alike_before_and_after_code_was_generated_for_it(
    name: str, spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from compute.spark import prepared as module

    monkeypatch.setattr(module, "_RUNS_APART", 2)
    known = f"often_{name}"
    query = prepared(spark, known, QUERIES[name])
    assert query is not None
    asked = [(table(30, 1), table(4, 2)), (table(0, 0), table(3, 3))]
    ways, answers = [], []
    for a, b in asked * 2:
        ways.append(query.way({"a": a, "b": b}))
        answers.append(rows_of(known, query, a, b, tmp_path))
    assert ways == ["apart", "apart", "together", "together"]
    assert answers[:2] == answers[2:]


@pytest.mark.parametrize("name", JOBS_ONLY)
def test_what_is_more_than_one_task_is_not_prepared(name: str, spark: SparkSession) -> None:
    assert prepared(spark, name, JOBS_ONLY[name]) is None


def test_a_query_that_failed_runs_again(spark: SparkSession, tmp_path: Path) -> None:
    from pyspark.errors import PySparkException

    query = prepared(spark, "failing", "SELECT raise_error(s) AS e FROM {a} WHERE x > 5")
    assert query is not None
    few, many = table(1, 1), table(50, 1)
    with pytest.raises(PySparkException):
        rows_of("failing", query, many, few, tmp_path)
    assert rows_of("failing", query, few, few, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_queries_of_several_threads_do_not_mix(spark: SparkSession, tmp_path: Path) -> None:
    names = [f"thread_{i}" for i in range(4)]

    def answers(name: str) -> list[list[str]]:
        query = prepared(spark, name, QUERIES["aggregate"])
        assert query is not None
        return [rows_of(name, query, table(20, seed), table(0, 0), tmp_path / name) for seed in range(20)]

    with ThreadPoolExecutor(4) as threads:
        first, *others = threads.map(answers, names)
    assert all(each == first for each in others)


@pytest.mark.parametrize("rows", [3, 5_000])
def test_containers_may_hold_nulls_of_every_type(rows: int, spark: SparkSession, tmp_path: Path) -> None:
    """In lists, in rows and in lists of rows, as few rows and as many that they are compiled."""
    from compute.spark.prepared import open_view, prepare
    from compute.spark.session import Profile, profile_sessions
    from model.physical.columns import arrow_type
    from tests.compute.agreement import POOLS

    members = list(dict.fromkeys(map(arrow_type, POOLS)))
    rest = [pa.list_(pa.struct([("m", member)])) for member in members]
    schema = pa.schema([(f"c{i}", pa.list_(member)) for i, member in enumerate((*members, *rest))])
    values = [_items(each.value_type) for each in schema.types]
    session = profile_sessions(spark)[Profile.PREPARED]
    name = f"containers_{rows}"
    view = open_view(session, name, schema)
    shown = ", ".join(f"transform(c{i}, x -> named_struct('f', x)) AS v{i}" for i in range(len(schema)))
    some = " AND ".join(f"size(transform(c{i}, x -> named_struct('f', x))) > 0" for i in range(len(schema)))
    query = prepare(session, f"SELECT {shown} FROM {name} WHERE {some}", [view])
    assert query is not None
    table = pa.table([pa.array([each] * rows, type_) for each, type_ in zip(values, schema.types)], schema=schema)
    wanted = {f"v{i}": [{"f": item} for item in column[0].as_py()] for i, column in enumerate(table.columns)}
    found = [row for batch in query.run({name: table}, tmp_path) for row in batch.to_pylist()]
    assert found == [wanted] * rows


def _items(type_: pa.DataType) -> list[object]:
    """NULL before and behind a row whose member is NULL; NULL alone, of what is no row."""
    return [None, {"m": None}, None] if pa.types.is_struct(type_) and type_.names == ["m"] else [None, None]


def test_queries_of_one_round_answer_as_each_does_alone_and_one_that_fails_fails_alone(
    spark: SparkSession, tmp_path: Path
) -> None:
    from compute.spark.prepared import run_round

    texts = {**QUERIES, "failing": "SELECT raise_error(s) FROM {a}"}
    queries = {name: query for name, text in texts.items() if (query := prepared(spark, f"r {name}", text)) is not None}
    assert set(queries) == set(texts)
    a, b = table(10, 1), table(4, 2)

    def tables(name: str) -> dict[str, pa.Table]:
        return {f"r_{name.replace(' ', '_')}_{letter}": each for letter, each in (("a", a), ("b", b))}

    for _ in range(2):
        answers = dict(zip(queries, run_round([(query, tables(name)) for name, query in queries.items()], tmp_path)))
        assert answers.pop("failing").batches is None
        for name, answer in answers.items():
            assert answer.batches is not None
            assert in_order(answer.batches) == rows_of(f"r {name}", queries[name], a, b, tmp_path / "alone")
        assert [each.name for each in tmp_path.iterdir()] == ["alone"]
