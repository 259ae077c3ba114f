"""The rows of a DataFrame as Arrow record batches.

Two ways. A plan that the optimizer has already turned into literal rows needs no Spark job: its rows are encoded in
the driver. Any other plan runs as a job whose tasks write their rows to files (ResultFiles.java): an answer of any size
takes the memory of some batches, here and in Java.
"""

from __future__ import annotations

import functools
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
from pyspark.errors.exceptions.captured import unwrap_spark_exception
from pyspark.sql import DataFrame

RESULTS_SETTING = "spark.headwater.results"
"""Where files of results lie for a moment: a directory that tasks see too."""

_LITERAL_PLAN = "LocalTableScan"
_BATCH_ROWS = 16_384
_BATCH_BYTES = 4 << 20
_LENGTH_BYTES = 4
_COMPILING = threading.Lock()


def collect_batches(frame: DataFrame, take: Callable[[pa.RecordBatch], None]) -> None:
    """Runs the plan and gives `take` each batch, in order.

    Raises PySpark's exceptions when the job fails or is cancelled, OSError when its files can't be read.
    """
    plan = _executed_plan(frame)
    if plan.nodeName() == _LITERAL_PLAN:
        _encode_literals(frame, plan, take)
    else:
        _collect_job(frame, take)


def collect_files(frame: DataFrame, directory: Path) -> list[Path]:
    """Runs the plan, and returns files of its rows in the directory, which tasks see too; `filed_batches` reads them.

    Raises PySpark's exceptions, OSError.
    """
    plan = _executed_plan(frame)
    if plan.nodeName() != _LITERAL_PLAN:
        return _run_job(frame, directory)
    path = directory / "literal"
    with path.open("wb") as file:
        _encode_literals(frame, plan, lambda batch: _append(file, batch))
    return [path]


def filed_batches(paths: Iterable[Path]) -> Iterator[pa.RecordBatch]:
    """Yields the rows of files, which stay. Raises OSError."""
    for path in paths:
        with path.open("rb") as file:
            yield from streamed_batches(file)


def _append(file: IO[bytes], batch: pa.RecordBatch) -> None:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    content = sink.getvalue()
    file.write(content.size.to_bytes(_LENGTH_BYTES, "big"))
    file.write(content)


def results_directory(context: Any) -> Path:
    """Returns the directory for files that Spark's tasks and this process both see."""
    return Path(context.getConf().get(RESULTS_SETTING) or tempfile.gettempdir())


def table_of(frame: DataFrame) -> pa.Table:
    """Returns all rows at once, for callers who hold them anyway."""
    batches: list[pa.RecordBatch] = []
    collect_batches(frame, batches.append)
    return pa.Table.from_batches(batches) if batches else frame.limit(0).toArrow()


def _executed_plan(frame: DataFrame) -> Any:
    with unwrap_spark_exception():
        return frame._jdf.queryExecution().executedPlan()


def _encode_literals(frame: DataFrame, plan: Any, take: Callable[[pa.RecordBatch], None]) -> None:
    jvm: Any = frame.sparkSession._jvm
    converters = getattr(getattr(jvm.org.apache.spark.sql.execution.arrow, "ArrowConverters$"), "MODULE$")
    with unwrap_spark_exception():
        streams = converters.toBatchWithSchemaIterator(
            plan.rows().iterator(), plan.schema(), _BATCH_ROWS, _BATCH_BYTES, "UTC", True, False
        )
        while streams.hasNext():
            with pa.ipc.open_stream(streams.next()) as reader:
                for batch in reader:
                    take(batch)


def _collect_job(frame: DataFrame, take: Callable[[pa.RecordBatch], None]) -> None:
    directory = Path(tempfile.mkdtemp(prefix="result-", dir=results_directory(frame.sparkSession.sparkContext)))
    try:
        for path in _run_job(frame, directory):
            for batch in filed_batches([path]):
                take(batch)
            path.unlink()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _run_job(frame: DataFrame, directory: Path) -> list[Path]:
    with unwrap_spark_exception():
        query = frame._jdf.queryExecution()
        names = result_files(frame.sparkSession.sparkContext).run(query, str(directory), _BATCH_ROWS, _BATCH_BYTES)
    return [directory / name for name in filter(None, names.split("\n"))]


def streamed_batches(file: IO[bytes]) -> Iterator[pa.RecordBatch]:
    """Reads streams of one batch each, each behind its length. Each is read separately, since Arrow wants data
    aligned."""
    while length := file.read(_LENGTH_BYTES):
        with pa.ipc.open_stream(file.read(int.from_bytes(length, "big"))) as reader:
            yield from reader


class _ResultFiles:
    """The compiled Java class ResultFiles: loaded in the driver, and in a jar for its executors."""

    def __init__(self, context: Any) -> None:
        jvm = context._gateway.jvm
        compiler = jvm.org.codehaus.janino.SimpleCompiler()
        compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
        compiler.cook(Path(__file__).with_name("ResultFiles.java").read_text())
        jar = Path(tempfile.mkdtemp(prefix="classes-", dir=results_directory(context))) / "results.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            for name, code in dict(compiler.getBytecodes()).items():
                archive.writestr(f"{name.replace('.', '/')}.class", bytes(code))
        context._jsc.sc().addJar(f"local:{jar}")
        class_ = compiler.getClassLoader().loadClass("headwater.ResultFiles")
        self._methods = {each.getName(): each for each in class_.getMethods()}
        self._gateway = context._gateway
        self._object = jvm.java.lang.Object

    def run(self, query: Any, directory: str, rows: int, bytes_: int) -> str:
        return str(self._call("run", query, directory, rows, bytes_))

    def end_when_exhausted(self) -> None:
        self._call("endWhenExhausted")

    def _call(self, name: str, *arguments: Any) -> Any:
        array = self._gateway.new_array(self._object, len(arguments))
        for i, argument in enumerate(arguments):
            array[i] = argument
        return self._methods[name].invoke(None, array)


def result_files(context: Any) -> _ResultFiles:
    """Returns the compiled class of a running context."""
    with _COMPILING:
        return _compiled(context)


@functools.lru_cache(maxsize=1)
def _compiled(context: Any) -> _ResultFiles:
    return _ResultFiles(context)
