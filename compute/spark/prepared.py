"""Queries that are planned once, and run in the driver over new rows each time, without a Spark job.

A query costs tens of milliseconds before its first row: parsing, analysis, optimisation, planning, scheduling a job.
For few rows nearly all of the cost is there. A prepared query keeps Spark's physical plan over slots in place of
tables; PreparedQuery.java runs the plan like a task of the job. Expressions and operators are Spark's. Code is
generated for a query that has many rows once, or few rows often: it costs nearly as much as planning did.

Only plans of one stage can be prepared: without exchanges, subqueries and Python. Queries over changes may only use
operators that take a change row by row or group by group. Queries asked once may also join: exchanges within a single
partition are left out.

Simultaneous queries go together in a round: one file with the rows of all, one question to Java, one file with the
answers.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from weakref import WeakKeyDictionary

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from compute.protocol.measures import OperatorMeasure
from compute.spark.operators import plan_operators
from compute.spark.schema import spark_fields

_COMPILED_ROWS_MIN = 5_000
_RUNS_APART = 32
"""After so many runs over few rows code is generated for a query. A run is shorter by 0.3 ms with generated code, but
to generate it takes 15 to 60 ms of the processor: most queries are never asked that often."""
_MEMORY_BYTES = 512 << 20
_MEMORY_SHARES = 16
_INPUT = "asked"
_OUTPUT = "answers"
_COMPILING = threading.Lock()
_NODES = (
    "Expand", "Filter", "Generate", "GlobalLimit", "HashAggregate", "InputAdapter", "LocalLimit",
    "LocalTableScan", "ObjectHashAggregate", "Project", "Scan ExistingRDD", "Sort", "SortAggregate",
    "TakeOrderedAndProject", "Union", "WholeStageCodegen", "Window", "WindowGroupLimit",
)  # fmt: skip
_NODES_OF_ONE = (*_NODES, "CartesianProduct", "CollectLimit", "Exchange", "ShuffledHashJoin", "SortMergeJoin")
_PLANNERS: WeakKeyDictionary[SparkSession, _Planners] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class PreparedView:
    """A view whose rows are given when a query runs."""

    name: str
    schema: pa.Schema
    slot: Any


@dataclass(slots=True, eq=False)
class PreparedQuery:
    """A prepared query, for one thread at a time. `number` is its name in Java."""

    _java: Any
    _number: str
    _views: Sequence[PreparedView]
    _runs: int = 0

    def run(self, tables: Mapping[str, pa.Table], scratch: Path) -> Generator[pa.RecordBatch, None, float]:
        """Yields the query's rows over the given tables; views without a table are empty. Returns the seconds of Java's
        work.

        `scratch` is a directory for files of the call. Raises PySpark's exceptions; raises OSError.
        """
        with _round([(self, tables)], scratch, raises=True) as answers:
            yield from _streamed(answers)
            return _seconds(answers)

    def traced(
        self, tables: Mapping[str, pa.Table], scratch: Path
    ) -> tuple[list[pa.RecordBatch], tuple[OperatorMeasure, ...]]:
        """Runs the query like `run`, and returns beside its rows what its operators did for them."""
        with unwrap_spark_exception():
            plan = self._java.plan(self.way(tables))
            plan.resetMetrics()
        batches = list(self.run(tables, scratch))
        with unwrap_spark_exception():
            return batches, plan_operators(plan)

    def line(self, tables: Mapping[str, pa.Table], streams: _Streams) -> str:
        """Writes the query's line of a round, with the query's number and the places of its tables; adds the tables to
        `streams`."""
        way = self.way(tables)
        self._runs += 1
        places = [
            "-" if (table := tables.get(view.name)) is None else streams.place(table, view.schema)
            for view in self._views
        ]
        return " ".join([self._number, way, *places])

    def way(self, tables: Mapping[str, pa.Table]) -> str:
        """Returns the way in which the query would run now, by the word that PreparedQuery.java's rounds know."""
        if sum(table.num_rows for table in tables.values()) >= _COMPILED_ROWS_MIN:
            return "compiled"
        return "apart" if self._runs < _RUNS_APART else "together"

    def ask(self, input_: Path, output: Path, asked: str, *, raises: bool) -> None:
        """Has Java run a round: the queries of the lines `asked`, over the tables in the file `input_`, with the
        answers written to the file `output`.

        The round may consist of other queries: this query merely lends its Java object for the call. With `raises`, a
        failing query raises an exception; without, its answer is a failure.
        """
        with unwrap_spark_exception():
            self._java.round(str(input_), str(output), asked, raises)


Asked = tuple[PreparedQuery, Mapping[str, pa.Table]]
"""A query, and the tables of its views."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a query of a round; `batches` is None after a failure. `seconds` is the processor time of Java's
    work alone."""

    batches: list[pa.RecordBatch] | None
    seconds: float


def run_round(asked: Sequence[Asked], scratch: Path) -> list[Answered]:
    """Runs several different queries in one round; returns their answers, in order. Py4JError; raises OSError."""
    with _round(asked, scratch, raises=False) as answers:
        return [_whole(answers) for _ in asked]


class _Streams:
    """Tables as Arrow streams in one file; a table used several times is written once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._places: dict[int, list[tuple[pa.Schema, str]]] = {}

    def place(self, table: pa.Table, schema: pa.Schema) -> str:
        known = self._places.setdefault(id(table), [])
        for other, place in known:
            if other.equals(schema):
                return place
        begin = self._file.tell()
        with pa.ipc.new_stream(self._file, schema) as writer:
            writer.write_table(table.cast(schema))
        known.append((schema, f"{begin}:{self._file.tell()}"))
        return known[-1][1]


@contextlib.contextmanager
def _round(asked: Sequence[Asked], scratch: Path, *, raises: bool) -> Iterator[IO[bytes]]:
    """Has Java run the queries in one round, and opens the file with their answers, in order."""
    input_, output = scratch / _INPUT, scratch / _OUTPUT
    try:
        with input_.open("wb") as file:
            streams = _Streams(file)
            lines = [query.line(tables, streams) for query, tables in asked]
        asked[0][0].ask(input_, output, "\n".join(lines), raises=raises)
        with output.open("rb") as answers:
            yield answers
    finally:
        input_.unlink(missing_ok=True)
        output.unlink(missing_ok=True)


def _streamed(answers: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """Yields the batches of the next answer from the file of a round whose queries did not fail."""
    while (length := _length(answers)) > 0:
        # They are read apart, since Arrow wants data aligned.
        with pa.ipc.open_stream(answers.read(length)) as reader:
            yield from reader


def _whole(answers: IO[bytes]) -> Answered:
    """Reads the next answer from the file of a round."""
    batches: list[pa.RecordBatch] = []
    while (length := _length(answers)) > 0:
        with pa.ipc.open_stream(answers.read(length)) as reader:
            batches += reader
    return Answered(batches if length == 0 else None, _seconds(answers))


def _length(answers: IO[bytes]) -> int:
    return int.from_bytes(answers.read(4), "big", signed=True)


def _seconds(answers: IO[bytes]) -> float:
    return int.from_bytes(answers.read(8), "big") / 1e9


def open_view(session: SparkSession, name: str, schema: pa.Schema) -> PreparedView:
    """Makes a view of the session whose rows are given when a query runs. The view is not a literal relation, because
    Spark's optimizer would see that it is empty."""
    with unwrap_spark_exception():
        return PreparedView(name, _arrow(schema), _planners(session).kept.open(name, spark_fields(schema).json()))


def prepare(session: SparkSession, text: str, views: Sequence[PreparedView]) -> PreparedQuery | None:
    """Prepares a query over open views of the session; returns None for a query that can only run as a job."""
    slots = _classes(session).array([view.slot for view in views])
    with unwrap_spark_exception():
        query = _planners(session).kept.prepare(text, slots)
        return None if query is None else PreparedQuery(query, str(query.number()), tuple(views))


def prepare_once(session: SparkSession, text: str, schemas: Mapping[str, pa.Schema]) -> PreparedQuery | None:
    """Prepares a query over temporary views of the schemas, in one question to Java; None for a query that needs a
    job."""
    views = "\n".join(f"{name} {spark_fields(schema).json()}" for name, schema in schemas.items())
    with unwrap_spark_exception():
        query = _planners(session).once.once(text, views)
        if query is None:
            return None
        opened = tuple(PreparedView(name, _arrow(schema), None) for name, schema in schemas.items())
        return PreparedQuery(query, str(query.number()), opened)


@functools.lru_cache(maxsize=1024)
def _arrow(schema: pa.Schema) -> pa.Schema:
    return to_arrow_schema(spark_fields(schema), error_on_duplicated_field_names_in_struct=True, timezone="UTC")


@dataclass(frozen=True, slots=True)
class _Planners:
    """The planners of one session in Java: for queries that run repeatedly, and for queries asked once."""

    kept: Any
    once: Any


def _planners(session: SparkSession) -> _Planners:
    classes = _classes(session)
    with _COMPILING:
        planners = _PLANNERS.get(session)
        if planners is None:
            planners = _Planners(*(classes.planner(session, nodes) for nodes in (_NODES, _NODES_OF_ONE)))
            _PLANNERS[session] = planners
        return planners


class _Classes:
    """The Java classes of PreparedQuery.java in one JVM, and the memory shared by all queries."""

    def __init__(self, gateway: Any) -> None:
        jvm = gateway.jvm
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
        compiler.cook(Path(__file__).with_name("PreparedQuery.java").read_text())
        loader = compiler.getClassLoader()
        self._gateway = gateway
        self._object = jvm.java.lang.Object
        self._planner = next(iter(loader.loadClass("headwater.PreparedQuery$Planner").getConstructors()))
        self.memory = jvm.org.apache.spark.memory.UnifiedMemoryManager(
            jvm.org.apache.spark.SparkConf(False), _MEMORY_BYTES, 0, _MEMORY_SHARES
        )

    def planner(self, session: SparkSession, nodes: Sequence[str]) -> Any:
        """Returns a planner that accepts plans of the given operators."""
        java: Any = session._jsparkSession
        return self._planner.newInstance(self.array([java, "\n".join(nodes), self.memory]))

    def array(self, items: Sequence[Any]) -> Any:
        array = self._gateway.new_array(self._object, len(items))
        for i, item in enumerate(items):
            array[i] = item
        return array


def _classes(session: SparkSession) -> _Classes:
    # Compiled twice, they would be different classes.
    with _COMPILING:
        return _classes_of(session.sparkContext._gateway)


@functools.lru_cache(maxsize=1)
def _classes_of(gateway: Any) -> _Classes:
    return _Classes(gateway)
