"""An index kept by a dataflow: filled by ticks, read by peeks that may wait for their time."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.partition import files_by_partition
from compute.arrangement.stores import open_batch, write_batch
from compute.executors.read_task import ReadTask
from compute.executors.task_done import ExportDone
from compute.maintain.wide import LATER, ExportTarget
from compute.replica.dataflows.exports.error_log import ErrorLog
from compute.replica.dataflows.exports.index import IndexContents, IndexRows, MaintainedIndex
from compute.replica.running.places import Places
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.time.clock import SystemRandomness
from model.time.timestamp import Timestamp
from model.types.datum import Row
from model.types.scalar_type import ScalarType

_AT_ONCE_ROWS_MAX = 4096
_NUMBERS = itertools.count()


class IndexReplaced(Exception):
    """The dataflow has begun anew: the index is to be looked for again."""


class IndexDropped(SqlError):
    """The index is gone."""

    def __init__(self, id_: GlobalId) -> None:
        super().__init__(Sqlstate.UNDEFINED_OBJECT, f"index {id_} was dropped")


class IndexSink:
    """An index, readable at times in [since, upper); `rows` is its arrangement."""

    def __init__(
        self,
        id_: GlobalId,
        index: MaintainedIndex,
        places: Places,
        rows: Arrangement,
        errors: ErrorLog,
        since: Antichain,
        upper: Antichain,
    ) -> None:
        self.id = id_
        self.since = since
        self._index = index
        self._places = places
        self._rows = rows
        self._errors = errors
        self._upper = upper
        self._next = upper
        self._number = next(_NUMBERS)
        self._changes = 0
        self._changed = False
        self._changed_until = upper
        self._waiting: list[tuple[Timestamp, asyncio.Future[None]]] = []
        self._ended: Exception | None = None

    @property
    def upper(self) -> Antichain:
        return self._upper

    @property
    def errors(self) -> int:
        """Returns the number of live errors at the end of the sealed contents."""
        return self._errors.live

    @property
    def types(self) -> tuple[ScalarType, ...]:
        """Returns the types of the rows' columns."""
        return self._index.types

    @property
    def key_columns(self) -> tuple[int, ...]:
        """Returns the rows' columns that the key begins with."""
        return self._index.key_columns

    def moved(self, rows: Arrangement, errors: ErrorLog) -> IndexSink:
        """Returns the export for another dataflow, with that dataflow's arrangements; this sink is to end."""
        return IndexSink(self.id, self._index, self._places, rows, errors, self.since, self._upper)

    def begin(self, lower: Timestamp, upper: Antichain) -> None:
        self._next = upper

    def take(self, updates: pa.Table) -> None:
        self._changed = True
        self._rows.insert(self._index.keyed(updates))

    def target(self) -> ExportTarget | None:
        """Returns the index as tasks write it; None where no task can."""
        store = self._rows.store
        place = None if store is None else store.elsewhere
        return None if place is None else ExportTarget(IndexRows(self._index, place), store)

    def adopt(self, done: Sequence[ExportDone]) -> None:
        store = self._rows.store
        assert store is not None, "tasks have written there"
        self._changed = True
        files = [each.file for each in done if each.file is not None]
        self._rows.adopt(ArrangementBatch.joined(open_batch(store, self._index.layout, [file]) for file in files))

    def take_errors(self, errors: pa.Table) -> None:
        self._errors.insert(errors)

    async def commit(self, forgo: Callable[[], None]) -> None:
        return

    async def seal(self) -> None:
        def seal() -> None:
            self._rows.seal()
            self._errors.seal()

        await self._places.runner.run(seal)
        if self._changed:
            self._changed = False
            self._changes += 1
            self._changed_until = self._next
        self.advance(self._next)

    def discard(self) -> None:
        self._changed = False
        self._rows.discard()
        self._errors.discard()

    async def deliver(self) -> None:
        return

    def advance(self, upper: Antichain) -> None:
        self._upper = upper
        for time, future in self._waiting:
            if not upper.less_equal(time) and not future.done():
                future.set_result(None)

    def compact(self, since: Antichain) -> None:
        """Times before `since` need not be told apart any more."""
        self.since = self.since.join(since)
        if since.time is not None:
            self._rows.allow_compaction(since.time)
            self._errors.compact(since.time)

    def end(self, *, dropped: bool) -> None:
        self._ended = IndexDropped(self.id) if dropped else IndexReplaced()
        for _, future in self._waiting:
            if not future.done():
                future.set_result(None)

    # Reading

    async def wait(self, as_of: Timestamp) -> None:
        """Returns once the index is complete at `as_of`. Raises SqlError when the index can't be read then;
        IndexReplaced."""
        if self._upper.less_equal(as_of) and self._ended is None:
            entry = (as_of, asyncio.get_running_loop().create_future())
            self._waiting.append(entry)
            try:
                await entry[1]
            finally:
                self._waiting.remove(entry)
        if self._ended is not None:
            raise self._ended
        if not self.since.less_equal(as_of):
            raise SqlError(
                Sqlstate.OBJECT_NOT_IN_PREREQUISITE_STATE,
                f"index {self.id} can't be read at {as_of}: its since is {self.since}",
            )

    def version(self, as_of: Timestamp) -> Hashable:
        """Returns a value equal for times with equal rows, as far as known without reading the rows."""
        settled = self._changed_until.time is not None and as_of >= self._changed_until.time - 1
        return self._number, self._changes, None if settled else as_of

    def least_error(self, as_of: Timestamp) -> str | None:
        """Returns the least error live at `as_of`, as text."""
        return self._errors.least(as_of)

    async def lookup(self, keys: Sequence[Row], as_of: Timestamp) -> pa.Table:
        """Returns the rows with the keys, or with keys that begin so, like Index.lookup.

        Few rows are found at once; a lookup that may find many runs off the event loop.
        """
        probes = self._index.probes(keys)
        few = self._index.lookup_few(self._rows, probes, as_of, _AT_ONCE_ROWS_MAX)
        if few is not None:
            return few
        return await self._places.runner.run(lambda: self._index.lookup(self._rows, probes, as_of))

    def blocks(self) -> Iterator[Block]:
        """Yields the blocks of the index's updates, of any time; may be read in another thread."""
        return (block for batch in self._rows.batches for block in batch.blocks)

    @contextlib.contextmanager
    def read_by_tasks(
        self, partitions: int, as_of: Timestamp, schema: pa.Schema, directory: Path
    ) -> Iterator[ReadTask | None]:
        """Gives what tasks have to do to write all rows at `as_of` to files in the directory; None where no task can.
        What they read stays until the end; batches in memory are in files until then. Raises OSError."""
        store, layout = self._rows.store, self._index.layout
        place = None if store is None else store.elsewhere
        if store is None or place is None:
            yield None
            return
        written: list[ArrangementBatch] = []
        try:
            batches = self._rows.batches
            for batch in batches:
                written.append(batch if batch.files else write_batch(store, layout, batch.blocks))
            files = files_by_partition(written, partitions)
            read, token = IndexContents(self._index, schema), SystemRandomness().token()
            yield ReadTask(token, partitions, place, str(directory), read, as_of, files, LATER.few_bytes)
        finally:
            own = (each for each, batch in zip(written, batches, strict=False) if not batch.files)
            store.remove([file.name for each in own for file in each.files])

    @property
    def size(self) -> int:
        """Returns how many updates the index has."""
        return self._rows.size.rows

    def all_rows(self, as_of: Timestamp) -> Iterator[pa.Table]:
        """Returns all rows, in chunks; may be read in another thread."""
        return self._index.rows(self._rows, as_of)
