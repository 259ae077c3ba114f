"""Queries that go row by row, as functions compiled once: run in the driver, over Arrow tables, without a Spark job.

A query costs tens of milliseconds before its first row: parsing, analysis, optimisation, scheduling. What Spark's
optimizer leaves of one that projects, filters and unites views is a few lists of expressions, and these are compiled to
Catalyst's own generated code, once. A condition is one more column here, by which rows are dropped at the end: so
expressions meet rows that it would have kept from them, and none may raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from compute.spark.schema import spark_fields

_BATCH_ROWS = 16_384
_BATCH_BYTES = 4 << 20
_LENGTH_BYTES = 4
_CONDITION = "condition"


@dataclass(frozen=True, slots=True)
class View:
    """A view without rows that queries can be compiled over; its rows come when they run."""

    name: str
    frame: DataFrame
    schema: pa.Schema
    rows: Any
    """Its rows' type, as Spark has it."""


def open_view(session: SparkSession, name: str, schema: pa.Schema) -> View:
    """Not a literal relation, which the optimizer would see to be empty."""
    fields = spark_fields(schema)
    java: Any = session._jsparkSession
    with unwrap_spark_exception():
        rows = java.parseDataType(fields.json())
        frame = java.createDataFrame(session.sparkContext._jsc.emptyRDD(), rows)
    arrow = to_arrow_schema(fields, error_on_duplicated_field_names_in_struct=True, timezone="UTC")
    return View(name, DataFrame(frame, session), arrow, rows)


@dataclass(frozen=True, slots=True)
class _Branch:
    """One of the parts that a query unites: its view's rows through projections, one after the other. What comes out
    has the columns of `schema`, the last `conditions` of which say whether a row is one."""

    view: View
    projections: tuple[Any, ...]
    schema: Any
    conditions: int


@dataclass(frozen=True, slots=True)
class _Java:
    """What a run calls, looked up once: every step of a name is a question to the JVM."""

    read: Any
    converters: Any
    file: Any
    output: Any
    write: Any


def _java(jvm: Any) -> _Java:
    return _Java(
        jvm.PythonSQLUtils.readArrowStreamFromFile,
        _singleton(jvm.org.apache.spark.sql.execution.arrow, "ArrowConverters"),
        jvm.java.io.FileOutputStream,
        jvm.java.io.DataOutputStream,
        jvm.PythonRDD.writeIteratorToStream,
    )


@dataclass(frozen=True, slots=True)
class LinearQuery:
    """One thread at a time: generated code keeps its last row."""

    _java: _Java
    _branches: tuple[_Branch, ...]

    def run(self, tables: Mapping[str, pa.Table], scratch: Path) -> Iterator[pa.RecordBatch]:
        """The query's rows over these tables of its views; any other view is empty.

        `scratch` is a directory for files that last as long as a call. PySpark's exceptions; OSError.
        """
        for branch in self._branches:
            table = tables.get(branch.view.name)
            if table is not None and table.num_rows:
                yield from self._run(branch, table, scratch)

    def _run(self, branch: _Branch, table: pa.Table, scratch: Path) -> Iterator[pa.RecordBatch]:
        source, target = scratch / "linear-in", scratch / "linear-out"
        with pa.OSFile(str(source), "wb") as sink, pa.ipc.new_stream(sink, branch.view.schema) as writer:
            writer.write_table(table.cast(branch.view.schema), max_chunksize=_BATCH_ROWS)
        try:
            with unwrap_spark_exception():
                self._project(branch, source, target)
            with target.open("rb") as file:
                yield from _rows_of(file, branch.conditions)
        finally:
            source.unlink()
            target.unlink(missing_ok=True)

    def _project(self, branch: _Branch, source: Path, target: Path) -> None:
        java = self._java
        rows = java.converters.fromBatchIterator(java.read(str(source)), branch.view.rows, "UTC", True, False, None)
        for projection in branch.projections:
            rows = rows.map(projection)
        batches = java.converters.toBatchWithSchemaIterator(
            rows, branch.schema, _BATCH_ROWS, _BATCH_BYTES, "UTC", True, False
        )
        output = java.output(java.file(str(target)))
        try:
            java.write(batches, output)
        finally:
            output.close()


def _rows_of(file: IO[bytes], conditions: int) -> Iterator[pa.RecordBatch]:
    """Streams of one batch each, every one behind its length. They are read apart, since Arrow wants data aligned."""
    while length := file.read(_LENGTH_BYTES):
        with pa.ipc.open_stream(file.read(int.from_bytes(length, "big"))) as reader:
            for batch in reader:
                width = batch.num_columns - conditions
                for condition in range(width, batch.num_columns):
                    batch = batch.filter(batch.column(condition))
                yield batch.select(list(range(width)))


def compile_linear(session: SparkSession, text: str, views: Iterable[View]) -> LinearQuery | None:
    """The query over views of these names, which it makes; None when it does more than project, filter and unite."""
    by_rdd = {}
    for view in views:
        view.frame.createOrReplaceTempView(view.name)
        by_rdd[view.frame._jdf.queryExecution().analyzed().rdd().id()] = view
    with unwrap_spark_exception():
        plan = session.sql(text)._jdf.queryExecution().optimizedPlan()
        return _Compiler(session._jvm, by_rdd).query(plan)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows on their way: `attributes` are their first columns, then come `conditions` that are columns already;
    `pending` ones are expressions over the attributes."""

    view: View
    attributes: tuple[Any, ...]
    projections: tuple[Any, ...] = ()
    conditions: int = 0
    pending: tuple[Any, ...] = ()


class _Unsupported(Exception):
    """The plan has a node that goes beyond single rows."""


class _Compiler:
    def __init__(self, jvm: Any, views: Mapping[int, View]) -> None:
        self._jvm = jvm
        self._views = views

    def query(self, plan: Any) -> LinearQuery | None:
        try:
            parts = self._rows(plan)
        except _Unsupported:
            return None
        return LinearQuery(_java(self._jvm), tuple(self._branch(rows, plan.schema()) for rows in parts))

    def _branch(self, rows: _Rows, schema: Any) -> _Branch:
        if rows.pending:
            rows = self._projected(rows, rows.attributes, rows.attributes)
        for number in range(rows.conditions):
            schema = schema.add(f"{_CONDITION}_{number}", "boolean")
        return _Branch(rows.view, rows.projections, schema, rows.conditions)

    def _rows(self, node: Any) -> list[_Rows]:
        match node.nodeName():
            case "LogicalRDD":
                return [_Rows(self._views[node.rdd().id()], self._output(node))]
            case "LocalRelation" if node.data().isEmpty():
                return []
            case "Union":
                parts = [rows for child in _items(node.children()) for rows in self._rows(child)]
                return [replace(self._settled(rows), attributes=self._output(node)) for rows in parts]
            case "Filter":
                condition = node.condition()
                return [replace(rows, pending=(*rows.pending, condition)) for rows in self._rows(node.child())]
            case "Project":
                expressions = tuple(_items(node.projectList()))
                return [self._projected(rows, expressions, self._output(node)) for rows in self._rows(node.child())]
            case _:
                raise _Unsupported

    def _settled(self, rows: _Rows) -> _Rows:
        """With its conditions as columns."""
        return self._projected(rows, rows.attributes, rows.attributes) if rows.pending else rows

    def _projected(self, rows: _Rows, expressions: tuple[Any, ...], output: tuple[Any, ...]) -> _Rows:
        catalyst = self._jvm.org.apache.spark.sql.catalyst.expressions
        boolean = _singleton(self._jvm.org.apache.spark.sql.types, "BooleanType")
        width = len(rows.attributes)
        kept = [catalyst.BoundReference(width + i, boolean, True) for i in range(rows.conditions)]
        every = self._sequence([*expressions, *kept, *rows.pending])
        projection = _singleton(catalyst, "UnsafeProjection").create(every, self._sequence(list(rows.attributes)))
        conditions = rows.conditions + len(rows.pending)
        return _Rows(rows.view, output, (*rows.projections, projection), conditions)

    def _output(self, node: Any) -> tuple[Any, ...]:
        """Every attribute may be NULL: a filter that says otherwise has not dropped its rows yet."""
        return tuple(attribute.withNullability(True) for attribute in _items(node.output()))

    def _sequence(self, items: list[Any]) -> Any:
        return self._jvm.PythonUtils.toSeq(items)


def _items(sequence: Any) -> list[Any]:
    return [sequence.apply(i) for i in range(sequence.size())]


def _singleton(package: Any, name: str) -> Any:
    """A Scala object."""
    return getattr(getattr(package, f"{name}$"), "MODULE$")
