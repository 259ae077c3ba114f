"""Tables of many bytes lie in files that tasks read: no plan holds them, and no file outlives its readers."""

from __future__ import annotations

import errno
import gc
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

from compute.maintain.change import gathered_change, local_change
from compute.operators.constant import render_constant
from compute.operators.context import Context
from compute.operators.rounds import held
from compute.render import render
from compute.scalars.python_function import PythonFunctions
from compute.spark import frames
from compute.spark.collect import collect_batches, results_directory, table_of
from compute.spark.frames import frame_of
from compute.spark.schema import spark_fields
from compute.spark.session import Profile, profile_sessions
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT8, TEXT
from planner.ir.relation import Constant

pytestmark = pytest.mark.spark

_SCHEMA = pa.schema([("c0", pa.int64()), ("c1", pa.string())])


def _texts(count: int, length: int) -> pa.Table:
    """So many rows whose texts are that long."""
    return pa.table({"c0": range(count), "c1": [chr(97 + i % 26) * length for i in range(count)]}, _SCHEMA)


def _literal(frame: DataFrame) -> bool:
    return "LocalRelation" in frame._jdf.queryExecution().optimizedPlan().toString()


def test_what_is_in_a_plan_is_bounded_by_bytes(spark: SparkSession, tmp_path: Path) -> None:
    few, many = _texts(100, 10), _texts(8, 1 << 20)
    fields = spark_fields(_SCHEMA)
    context = Context(spark, PythonFunctions(spark), {}, lambda frame: _viewed(frame), render)
    rows = tuple(((i, text), 1) for i, text in enumerate(many.column("c1").to_pylist()))
    desc = relation_desc(("a", INT8), ("b", TEXT))
    constant = render_constant(Constant(rows * 100, desc), context)
    for table, literal in ((few, True), (many, False)):
        assert _literal(frame_of(spark, table, fields)) == literal
        assert _literal(local_change(table, tmp_path).frame(spark)) == literal
        assert (local_change(table, tmp_path).table is not None) == literal
        assert _literal(gathered_change(iter([table]), _SCHEMA, tmp_path).frame(spark)) == literal
        assert _literal(spark.sql(held(constant, table, context).rows.sql)) == literal
    assert not _literal(spark.sql(constant.sql))
    few_long = render_constant(Constant(rows, desc), context)
    assert len(few_long.sql) < 1_000 and not _literal(spark.sql(few_long.sql))


def _viewed(frame: DataFrame) -> str:
    name = f"held_{id(frame)}"
    frame.createOrReplaceTempView(name)
    return name


def test_rows_of_a_file_are_those_of_the_table(spark: SparkSession) -> None:
    """Also where few of them are much longer than the others."""
    lengths = [1, 3 << 20, 1, 9 << 20, 2, 2, 17 << 20, 1]
    texts = [None, *("ä" * (length // 2) + "z" for length in lengths), ""]
    table = pa.table({"c0": range(len(texts)), "c1": texts}, _SCHEMA)
    got = table_of(frame_of(spark, table, spark_fields(_SCHEMA)).orderBy("c0"))
    assert got.column("c1").to_pylist() == texts


def test_a_file_is_there_as_long_as_a_plan_reads_it(spark: SparkSession) -> None:
    directory = results_directory(spark.sparkContext)

    def files() -> set[Path]:
        return set(directory.glob("rows-*.parquet"))

    fields = spark_fields(_SCHEMA)
    before = files()
    frame = frame_of(spark, _texts(8, 1 << 20), fields)
    (path,) = files() - before
    derived = frame.where("c0 >= 4").select("c1")
    del frame
    _let_go(spark)
    _another(spark)
    assert path in files() and table_of(derived).num_rows == 4
    del derived
    for _ in range(100):
        _let_go(spark)
        _another(spark)
        if path not in files():
            return
        time.sleep(0.1)  # Python tells Java by and by what it holds no more
    pytest.fail("the file outlives its plans")


def _let_go(spark: SparkSession) -> None:
    gc.collect()
    assert spark._jvm is not None
    spark._jvm.java.lang.System.gc()


def _another(spark: SparkSession) -> None:
    frame_of(spark, _texts(6, 1 << 20), spark_fields(_SCHEMA))


@dataclass
class _Plans:
    """Java, as far as files are concerned: plans that it has not seen to be gone yet are there until `gc`."""

    gone: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    looked: int = 0

    @property
    def session(self) -> Any:
        system = SimpleNamespace(gc=self._look)
        return SimpleNamespace(_jvm=SimpleNamespace(java=SimpleNamespace(lang=SimpleNamespace(System=system))))

    def _look(self) -> None:
        self.looked += 1
        self.seen |= self.gone

    def index(self, name: str) -> Any:
        return SimpleNamespace(refersTo=lambda _: name in self.seen)


def test_java_is_told_to_look_when_files_come_to_many_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that no plan reads are few, though Java looks for such plans seldom by itself."""
    monkeypatch.setattr(frames, "_FILED_BYTES_MAX", 100)
    plans, files = _Plans(gone={"a", "b", "c"}), frames._Files()
    for name in "abcd":
        (tmp_path / name).touch()
        files._files.append(frames._File(tmp_path / name, 30, plans.index(name)))
        files._sweep(plans.session)
        assert plans.looked == (name == "d")
    assert [each.name for each in tmp_path.iterdir()] == ["d"]
    for name in "efg":
        (tmp_path / name).touch()
        files._files.append(frames._File(tmp_path / name, 90, plans.index(name)))
        files._sweep(plans.session)
    # What is read still is not looked for again before there is twice as much of it.
    assert (plans.looked, len(files._files)) == (3, 4)


def test_a_change_s_file_goes_with_the_change(tmp_path: Path) -> None:
    change = local_change(_texts(8, 1 << 20), tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    del change
    assert not list(tmp_path.iterdir())


def test_a_change_that_could_not_be_written_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *_: object) -> None:
        path.write_bytes(b"PAR1")
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr("compute.maintain.change.write_rows", full)
    with pytest.raises(OSError):
        local_change(_texts(8, 1 << 20), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_change_of_long_texts_passes_through_a_small_heap(spark: SparkSession, tmp_path: Path) -> None:
    """As many bytes as would be a good part of the heap, several times over, as literal rows."""
    session = profile_sessions(spark)[Profile.SMALL]
    change = local_change(_texts(3_000, 100_000), tmp_path)
    change.frame(session).createOrReplaceTempView("long_texts")
    for query, rows in (
        ("SELECT c0, concat(c1, 'x') AS c1 FROM long_texts WHERE c0 >= 0", 3_000),
        ("SELECT c1, count(*) AS n FROM long_texts GROUP BY c1", 26),
        ("SELECT c0 % 3 AS g, max(c1) AS m FROM long_texts GROUP BY c0 % 3", 3),
    ):
        got = 0

        def take(batch: pa.RecordBatch) -> None:
            nonlocal got
            got += batch.num_rows

        collect_batches(session.sql(query), take)
        assert got == rows
