"""Arrow tables as DataFrames: few bytes become literal rows of the plan, more lie in a file that tasks read.

Literal rows are in the driver's heap as long as the plan is, and once more for each step that Spark takes with them:
queries over 8 MiB of long texts took 200 MiB of it, those over 40 MiB a heap of 1 GiB. Of a file a task holds a row
group.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from compute.spark.collect import results_directory
from compute.spark.row_files import write_rows

LITERAL_BYTES_MAX = 4 << 20
_FILED_BYTES_MAX = 1 << 30
"""So many bytes of files may wait for Java to see that no plan reads them any more, before it is told to look."""


def is_literal(table: pa.Table) -> bool:
    """Tells whether the table's rows may be part of a plan."""
    return bool(table.nbytes <= LITERAL_BYTES_MAX or not table.num_columns)


def frame_of(session: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
    """Returns the table's rows as a DataFrame. A file of them is there as long as any plan reads it. Raises OSError."""
    if is_literal(table):
        # PySpark takes no nested column that has no chunks, which is what a filter leaves of no rows.
        return session.createDataFrame(table if table.num_rows else table.schema.empty_table(), schema)
    return _FILES.frame(session, table, schema)


@dataclass(frozen=True, slots=True)
class _File:
    """A file of rows that plans of Spark read. `index` is a weak reference of Java's to what every plan that reads the
    file holds."""

    path: Path
    bytes: int
    index: Any


class _Files:
    """The files of plans. Java knows how long a plan is there; so it is asked, whenever another file comes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: list[_File] = []
        self._bytes_max = _FILED_BYTES_MAX

    def frame(self, session: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
        self._sweep(session)
        with tempfile.NamedTemporaryFile(
            dir=results_directory(session.sparkContext), prefix="rows-", suffix=".parquet", delete=False
        ) as file:
            path = Path(file.name)
        try:
            write_rows(path, [table], table.schema)
            frame = session.read.schema(schema).parquet(str(path))
            index = session._jvm.java.lang.ref.WeakReference(  # type: ignore[union-attr]
                frame._jdf.queryExecution().analyzed().relation().location()
            )
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        with self._lock:
            self._files.append(_File(path, path.stat().st_size, index))
        return frame

    def _sweep(self, session: SparkSession) -> None:
        """Removes the files that no plan reads any more. Where they come to many bytes, Java looks for such plans."""
        with self._lock:
            self._remove()
            if sum(file.bytes for file in self._files) > self._bytes_max:
                session._jvm.java.lang.System.gc()  # type: ignore[union-attr]
                self._remove()
                # What is still read is not looked for again and again.
                self._bytes_max = max(_FILED_BYTES_MAX, 2 * sum(file.bytes for file in self._files))

    def _remove(self) -> None:
        kept = []
        for file in self._files:
            if _is_unread(file):
                with contextlib.suppress(OSError):
                    file.path.unlink()
            else:
                kept.append(file)
        self._files = kept


def _is_unread(file: _File) -> bool:
    try:
        return bool(file.index.refersTo(None))
    except Py4JError:  # the JVM of another session has ended, and no plan of it is left
        return True


_FILES = _Files()
