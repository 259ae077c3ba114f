"""The work of one task on a tick's exports: writes the rows of a partition to a file of an index, or parts of a shard.

    rows ─▶ rows with hashes of the partition, for each export ─▶ sorted runs of bounded size ─▶ one file, or parts

Files count for nothing until a manifest names them, and parts until an append does. Any number of attempts may be made
at a task, and one attempt counts.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.checkpoint import local_store
from compute.arrangement.equality import ints
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.partition import partition_of
from compute.executors.own_code import check_code, own_code
from compute.executors.task_done import ExportDone, StepDone
from compute.executors.task_rows import check_wanted, encoded_errors, sound, while_wanted
from model.time.clock import SystemRandomness


class TaskExport(Protocol):
    """One export, as plain data for a task."""

    @property
    def layout(self) -> Layout:
        """Returns the layout in which the export's rows are sorted."""
        ...

    def keyed(self, updates: pa.Table) -> pa.Table:
        """Returns the updates (c0…, time, diff) for the export, in the layout: equal updates have equal hashes."""
        ...

    def write(self, rows: Arrangement, attempt: str) -> ExportDone:
        """Writes the rows inserted into an arrangement; names of files begin with the attempt's. Raises OSError,
        SqlError, and leaves nothing, as far as possible."""
        ...

    def remove(self, attempt: str, done: ExportDone | None) -> None:
        """Removes, as far as possible, the files and parts of an attempt."""
        ...


@dataclass(frozen=True, slots=True)
class ExportTask:
    """The work of one job's tasks on the rows of an output, each on one of `partitions`. `token` begins the names of
    files; the directory `exchange` exists while the tick goes on.

    `schema`: the rows' c0…, time, diff. Rows with an `error_column` that is not NULL are errors.
    `exports`: by name. `few_bytes`: fewer are not worth a process of their own. `code`: of the process that made it.
    """

    token: str
    partitions: int
    exchange: str
    schema: pa.Schema
    error_column: str | None
    exports: Mapping[str, TaskExport]
    few_bytes: int = 0
    code: str = field(default_factory=own_code)


def run_export(task: ExportTask, partition: int, batches: Iterable[pa.RecordBatch]) -> StepDone:
    """Makes one attempt at one partition, with rows among `batches`. Raises TickOver, OtherCode, OSError, SqlError, and
    leaves nothing of the attempt, as far as possible."""
    check_code(task.code)
    begun = time.process_time()
    attempt = f"{task.token}-{partition}-{SystemRandomness().token()}"
    done: dict[str, ExportDone] = {}
    errors: list[pa.Table] = []
    try:
        with tempfile.TemporaryDirectory(prefix="runs-", dir=task.exchange) as directory:
            runs = local_store(Path(directory))
            sorting = {name: runs.arrangement(each.layout, bounded=True) for name, each in task.exports.items()}
            for table in sound(task.schema, task.error_column, while_wanted(task.exchange, batches), errors):
                for name, each in task.exports.items():
                    sorting[name].insert(_own(each.keyed(table), task.partitions, partition))
            for name, each in task.exports.items():
                done[name] = each.write(sorting.pop(name), attempt)
                check_wanted(task.exchange)
    except BaseException:
        for name, each in task.exports.items():
            each.remove(attempt, done.get(name))
        raise
    rows = max(each.rows for each in done.values())
    # All attempts see all errors: those of one partition tell them.
    told = encoded_errors(errors) if partition == 0 else None
    return StepDone(partition, {}, 0, 0, rows, None, told, time.process_time() - begun, exports=done)


def _own(keyed: pa.Table, partitions: int, partition: int) -> pa.Table:
    own = partition_of(ints(keyed.column(HASH_COLUMN)), partitions) == partition
    return keyed if own.all() else keyed.filter(pa.array(own))
