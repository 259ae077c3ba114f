"""An index's rows as an input of a plan on Spark: made when a plan asks, and again when the index has changed since.

They are taken out of the arrangement as of the plan's time, as literal rows when they are few, else as a file; many by
tasks of Spark, each of which writes a file.
"""

from __future__ import annotations

import itertools
import shutil
import tempfile
import threading
import weakref
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import structlog
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from compute.executors.task_done import StepDone
from compute.executors.task_pool import LostTask, counted
from compute.maintain.change import Change, few_rows, filed_change, gathered_change, literal_change
from compute.maintain.queries import Queries
from compute.maintain.spark_pool import SparkPool
from compute.maintain.wide import LATER
from compute.protocol.dataflow import IndexImport
from compute.replica.contents.shard_contents import expand
from compute.replica.dataflows.exports.index_sink import IndexSink
from compute.replica.peeks.index_peeks import complete_index, rows_by_key
from compute.replica.running.cache import RecentlyUsed
from compute.replica.running.supervision import SparkWork
from compute.replica.running.worker import SparkWorker
from compute.replica.tasks.dataflows import Dataflows
from compute.spark.session import Profile
from model.ids.global_id import GlobalId
from model.physical.columns import arrow_schema
from model.time.timestamp import Timestamp

_KEPT_MAX = 8
_KEYS = itertools.count()
_log = structlog.get_logger("peeks")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ArrangedRows:
    """The rows of an index as a plan's Get of `id` reads them. `key` identifies exactly these rows. Their file lives
    as long as the object."""

    id: GlobalId
    rows: Change
    bytes: int
    key: Hashable


class ArrangedInputs:
    """Keeps the most recently read index contents. `directory` takes files, readable by Spark's executors. Tasks read
    indexes of `least_rows` updates or more."""

    def __init__(
        self, dataflows: Dataflows, directory: Path, worker: SparkWorker, least_rows: int = LATER.rows
    ) -> None:
        self._dataflows = dataflows
        self._directory = directory
        self._worker = worker
        self._least_rows = least_rows
        self._kept: RecentlyUsed[ArrangedRows] = RecentlyUsed(_KEPT_MAX)

    async def rows(self, item: IndexImport, as_of: Timestamp) -> ArrangedRows:
        """Returns the index's rows at `as_of`, once the index is complete there. SqlError: the least live error, or
        PeekIndex's."""
        index = await complete_index(item.index, as_of, self._dataflows)
        version = item.id, index.version(as_of)
        known = self._kept.get(version)
        if known is None:
            known = await self._by_tasks(item, index, as_of)
            if known is None:
                known = await self._dataflows.places.runner.run(lambda: self._taken(item, index, as_of))
            self._kept.put(version, known)
        return known

    async def _by_tasks(self, item: IndexImport, index: IndexSink, as_of: Timestamp) -> ArrangedRows | None:
        """Has tasks take the rows; returns None where none can, or where they fail at it."""
        worker, number = self._worker, next(_KEYS)
        if index.size < self._least_rows or worker.wide_tasks_max == 1:
            return None
        directory = Path(tempfile.mkdtemp(dir=self._directory, prefix="arranged-"))

        def read(_session: SparkSession, _stop: threading.Event) -> list[StepDone] | None:
            pool = SparkPool(worker.sessions, Queries(worker.sessions, {}, directory), lambda: worker.wide_tasks_max)
            partitions = worker.partitions
            with index.read_by_tasks(partitions, as_of, arrow_schema(item.desc), directory) as task:
                return None if task is None else counted(partitions, pool.run(task, None))

        rows: Change | None = None
        try:
            piece = SparkWork(f"read-{number}", f"a read of the index {item.index}")
            done = await worker.run(piece, Profile.LARGE, read)
            if done is not None:
                paths = [Path(each.output) for each in done if each.output is not None]
                rows = _change_of(sum(each.rows_out for each in done), paths, arrow_schema(item.desc))
        except (PySparkException, Py4JError, LostTask, OSError) as error:
            _log.warning("tasks could not read an index", index=str(item.index), reason=str(error).splitlines()[:1])
        finally:
            if rows is None:
                shutil.rmtree(directory, ignore_errors=True)
        return None if rows is None else _rows_in(directory, item, rows, number)

    def _taken(self, item: IndexImport, index: IndexSink, as_of: Timestamp) -> ArrangedRows:
        directory = tempfile.mkdtemp(dir=self._directory, prefix="arranged-")
        try:
            chunks = map(expand, rows_by_key(index, as_of))
            rows = gathered_change(chunks, arrow_schema(item.desc), Path(directory))
        except BaseException:
            shutil.rmtree(directory, ignore_errors=True)
            raise
        return _rows_in(Path(directory), item, rows, next(_KEYS))


def _change_of(rows: int, paths: Sequence[Path], schema: pa.Schema) -> Change:
    table = few_rows(rows, paths, schema)
    return filed_change(rows, paths, schema) if table is None else literal_change(table)


def _rows_in(directory: Path, item: IndexImport, rows: Change, number: int) -> ArrangedRows:
    """Returns the rows of a change whose files, if it has any, lie in the directory."""
    files = sum(path.stat().st_size for path in directory.iterdir())
    size = files if rows.table is None else rows.table.nbytes
    taken = ArrangedRows(item.id, rows, size, ("arranged", number))
    weakref.finalize(taken, shutil.rmtree, directory, ignore_errors=True)
    return taken
