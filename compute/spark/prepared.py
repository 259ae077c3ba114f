"""Queries that are planned once, and run in the driver over new rows each time, without a Spark job.

A query costs tens of milliseconds before its first row: parsing, analysis, optimisation, planning, and a job has to be
scheduled. For few rows that is nearly all it costs. What is kept here is Spark's physical plan, code generated, over
slots in place of tables; PreparedQuery.java runs it as a task of the job would. Expressions and operators are Spark's.

Only plans of one stage can be had so: those without exchanges, subqueries and Python.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from compute.spark.collect import streamed_batches
from compute.spark.schema import spark_fields

_COMPILED_ROWS_MIN = 5_000
_MEMORY_BYTES = 512 << 20
_MEMORY_SHARES = 16
_TARGET = "rows"
_COMPILING = threading.Lock()
_NODES = frozenset(
    (
        "Coalesce", "Expand", "Filter", "Generate", "GlobalLimit", "HashAggregate", "InputAdapter", "LocalLimit",
        "LocalTableScan", "ObjectHashAggregate", "Project", "Scan ExistingRDD", "Sort", "SortAggregate",
        "TakeOrderedAndProject", "Union", "WholeStageCodegen", "Window", "WindowGroupLimit",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """A view whose rows come when a query runs."""

    name: str
    schema: pa.Schema
    slot: Any


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """One thread at a time."""

    _java: Any
    _views: Mapping[str, View]

    def run(self, tables: Mapping[str, pa.Table], scratch: Path) -> Iterator[pa.RecordBatch]:
        """The query's rows over these tables of its views; any other view is empty.

        `scratch` is a directory for files that last as long as the call. PySpark's exceptions; OSError.
        """
        sources = [scratch / name for name in tables]
        target = scratch / _TARGET
        try:
            for source, table in zip(sources, tables.values(), strict=True):
                schema = self._views[source.name].schema
                with pa.OSFile(str(source), "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
                    writer.write_table(table.cast(schema))
            compiled = sum(table.num_rows for table in tables.values()) >= _COMPILED_ROWS_MIN
            with unwrap_spark_exception():
                self._java.run(str(scratch), _TARGET, compiled)
            with target.open("rb") as file:
                yield from streamed_batches(file)
        finally:
            for path in (*sources, target):
                path.unlink(missing_ok=True)


def open_view(session: SparkSession, name: str, schema: pa.Schema) -> View:
    """Makes the view in the session. Not a literal relation, which the optimizer would see to be empty."""
    fields = spark_fields(schema)
    java: Any = session._jsparkSession
    with unwrap_spark_exception():
        slot = _classes(session).new("Slot", java.sparkContext(), name)
        frame = java.internalCreateDataFrame(slot, java.parseDataType(fields.json()), False)
        # In one partition, so that what follows needs no exchange.
        DataFrame(frame, session).coalesce(1).createOrReplaceTempView(name)
    arrow = to_arrow_schema(fields, error_on_duplicated_field_names_in_struct=True, timezone="UTC")
    return View(name, arrow, slot)


def prepare(session: SparkSession, text: str, views: Sequence[View]) -> PreparedQuery | None:
    """The query over open views of the session; None when it can only run as a job."""
    with unwrap_spark_exception():
        plan = session.sql(text)._jdf.queryExecution().executedPlan()
        if not (_in_one_task(plan) and plan.subqueriesAll().isEmpty()):
            return None
        classes = _classes(session)
        settings = session._jsparkSession.conf().getAllAsJava()
        slots = classes.array([view.slot for view in views])
        query = classes.new("PreparedQuery", plan, slots, settings, classes.memory)
        return PreparedQuery(query, {view.name: view for view in views})


def _in_one_task(plan: Any) -> bool:
    children = plan.children()
    name = str(plan.nodeName()).partition(" (")[0]
    return name in _NODES and all(_in_one_task(children.apply(i)) for i in range(children.size()))


class _Classes:
    """The Java classes of PreparedQuery.java, in one JVM; and the memory that all its queries share."""

    def __init__(self, gateway: Any) -> None:
        jvm = gateway.jvm
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
        compiler.cook(Path(__file__).with_name("PreparedQuery.java").read_text())
        loader = compiler.getClassLoader()
        query = loader.loadClass("headwater.PreparedQuery")
        slot = loader.loadClass("headwater.PreparedQuery$Slot")
        self._gateway = gateway
        self._object = jvm.java.lang.Object
        self._constructors = {
            name: next(iter(each.getConstructors())) for name, each in (("PreparedQuery", query), ("Slot", slot))
        }
        self.memory = jvm.org.apache.spark.memory.UnifiedMemoryManager(
            jvm.org.apache.spark.SparkConf(False), _MEMORY_BYTES, 0, _MEMORY_SHARES
        )

    def new(self, name: str, *arguments: Any) -> Any:
        return self._constructors[name].newInstance(self.array(arguments))

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
