"""An arrangement: sealed batches, and beside them the inserts of the current tick, which can still be taken back.

A tick inserts its change, in chunks; steps then read the change (`changes`), the contents before (lookups that are not
provisional) and the contents after (provisional lookups), in any order, repeatedly, and several steps may share an
arrangement. `seal` makes the change part of the arrangement; `discard` forgets the change.

Batches are immutable: other threads may read sealed batches while a tick runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
import pyarrow as pa
import structlog

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.equality import Indices, ints
from compute.arrangement.key_prefix import find_prefixes
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.merge import AwaitedMerge, Merge
from compute.arrangement.prefix import FoundPrefix, find_first
from compute.arrangement.recent import Recent
from compute.arrangement.search import Found, blocks_with, count_matches, find
from compute.arrangement.sorting import consolidated, hashed
from compute.arrangement.spine import Spine
from compute.arrangement.stores import BatchStore, write_batch
from compute.arrangement.stream import merged
from model.physical.columns import DIFF_COLUMN

CHUNK_ROWS = 1 << 16
"""How many rows a chunk has unless the caller says otherwise."""
_SORTED_AT_ONCE_ROWS = 1 << 19
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class ArrangementSize:
    """The size of an arrangement, including contents kept from reads. `rows` are updates; `memory_bytes` is the part
    of `bytes` outside files."""

    rows: int
    batches: int
    bytes: int
    memory_bytes: int


class Arrangement:
    """One arrangement. With a store, batches of more than `spill_bytes` are written to its files; `batches`
    are the initial contents.

    A large batch stays in memory when no file can be written; `bounded`: then OSError is raised instead."""

    def __init__(
        self,
        layout: Layout,
        store: BatchStore | None = None,
        batches: tuple[ArrangementBatch, ...] = (),
        spill_bytes: int | None = None,
        *,
        bounded: bool = False,
    ) -> None:
        self.layout = layout
        self._bounded = bounded
        self.rows_read = 0
        """How many rows lookups and scans have given: what the work of ticks can be told by."""
        self._spine = Spine(layout, store, batches, spill_bytes)
        self._former: tuple[BatchStore, ...] = ()
        self._recent = Recent(layout)
        # A checkpoint in another thread may put files in the place of batches.
        self._lock = Lock()
        self._since: int | None = None
        self._dropped_below: int | None = None
        self._provisional: tuple[ArrangementBatch, ...] = ()
        self._unsorted: list[pa.RecordBatch] = []
        self._unsorted_rows = 0
        self._unsorted_bytes = 0

    @property
    def batches(self) -> tuple[ArrangementBatch, ...]:
        """Returns the sealed batches."""
        return self._spine.batches

    @property
    def damaged(self) -> str | None:
        """Returns the name of a file of its state that was found to be damaged: reads may fail, with CorruptFile."""
        return next((each.damaged for each in self._stores if each.damaged is not None), None)

    @property
    def store(self) -> BatchStore | None:
        """Returns the store of its files."""
        return self._spine.store

    @property
    def _stores(self) -> tuple[BatchStore, ...]:
        """Returns the stores of its batches."""
        own = self._spine.store
        return self._former if own is None else (own, *self._former)

    def insert(self, keyed: pa.Table) -> None:
        """Adds a table of `layout.schema`, provisionally."""
        assert keyed.schema.equals(self.layout.schema), f"expected {self.layout.schema}, not {keyed.schema}"
        if keyed.num_rows == 0:
            return
        self._unsorted.append(hashed(keyed, self.layout))
        self._unsorted_rows += keyed.num_rows
        self._unsorted_bytes += keyed.nbytes
        if self._unsorted_rows >= _SORTED_AT_ONCE_ROWS or self._unsorted_bytes >= self._spine.spill_bytes:
            self._sort()

    def adopt(self, batch: ArrangementBatch) -> None:
        """Adds a batch in files of the store, provisionally."""
        if batch.rows:
            self._provisional = (*self._provisional, batch)

    def write_changes(self, store: BatchStore) -> ArrangementBatch:
        """Writes the updates inserted since the last seal to a file of the store, and returns it as a batch; without
        updates, no file. Raises OSError."""
        self._sort()
        if not self._provisional:
            return ArrangementBatch.of(())
        if len(self._provisional) == 1:
            return write_batch(store, self.layout, self._provisional[0].blocks)
        merge = Merge(self._provisional, self.layout, None, None, store, CHUNK_ROWS)
        while (batch := merge.advance(CHUNK_ROWS)) is None:
            pass
        return batch

    def seal(self, awaited_rows: int | None = None) -> None:
        """Makes the inserted updates part of the arrangement. Merges that are due, of `awaited_rows` or more, are left
        to whoever calls `begin_merge`."""
        self._sort()
        with self._lock:
            self._spine.append(self._provisional, self._since, self._dropped_below, awaited_rows)
            self._recent.append(self._provisional, self._dropped_below, sum(b.rows for b in self._spine.batches))
        self._provisional = ()

    @property
    def awaits_merge(self) -> bool:
        """Returns whether a merge waits for others to do it."""
        return bool(self._spine.awaited)

    def begin_merge(self) -> AwaitedMerge | None:
        """Returns the oldest merge that others are to do, which is to be ended by `end_merge`; ticks may go on
        meanwhile. None while there is none."""
        with self._lock:
            for awaited in self._spine.awaited:
                awaited.begun = True
                return awaited
            return None

    def end_merge(self, awaited: AwaitedMerge, result: ArrangementBatch | None) -> None:
        """Takes the result of a merge; without one, the merge is done here after all, beside later seals."""
        with self._lock:
            self._spine.end_awaited(awaited, result)

    def discard(self) -> None:
        """Forgets updates inserted since the last seal."""
        self._provisional = ()
        self._unsorted, self._unsorted_rows, self._unsorted_bytes = [], 0, 0

    def move_to_files(self, store: BatchStore, filed: Mapping[int, ArrangementBatch]) -> None:
        """Replaces sealed batches, by identity, with equal batches in files; later files go to the store, too."""
        with self._lock:
            self._spine.move_to_files(store, filed)

    def file_batches(self) -> tuple[ArrangementBatch, ...]:
        """Returns the sealed batches, each in files of the store, where those in memory are written now. Raises
        OSError."""
        store = self.store
        assert store is not None, "there are no files without a store"
        in_memory = [batch for batch in self.batches if not batch.files]
        if in_memory:
            self.move_to_files(store, {id(each): write_batch(store, self.layout, each.blocks) for each in in_memory})
        return self.batches

    def moved(self, store: BatchStore) -> Arrangement:
        """Returns the sealed contents as a separate arrangement. Files of another store count as memory until
        the next checkpoint writes them to the new store."""
        batches = tuple(replace(batch, files=()) for batch in self.batches)
        moved = Arrangement(self.layout, store, batches)
        moved._former = self._stores
        if self._since is not None:
            moved.allow_compaction(self._since)
        return moved

    def changes(self, *, chunk_rows: int = CHUNK_ROWS, whole_hashes: bool = False) -> Iterator[pa.Table]:
        """Yields the updates inserted since the last seal, consolidated, in order of h; with `whole_hashes` no h is
        divided."""
        self._sort()
        chunks = merged(self._provisional, self.layout, None, chunk_rows, whole_hashes=whole_hashes)
        return self._tables(chunks)

    def lookup(self, probes: pa.Table, *, provisional: bool) -> Found:
        """Returns all updates whose key equals the key of a row of `probes` (columns h, k0…; other columns are
        ignored).

        With `provisional` the result includes updates since the last seal. Equal updates of different batches are not
        added up.
        """
        return self._together(self.find(probes, provisional=provisional))

    def lookup_few(self, probes: pa.Table, rows_max: int) -> Found | None:
        """Looks up sealed updates like `lookup`; None as soon as more than `rows_max` are found, or when a block would
        have to be read from a file, which takes as long as the block is large."""
        hashes = np.sort(ints(probes.column(HASH_COLUMN)))
        listed = hashes.tolist()
        held: list[Sequence[pa.RecordBatch]] = []
        for block in (block for batch in self._spine.batches for block in blocks_with(batch, hashes)):
            if not block.at_hand and any(block.first <= hash_ <= block.last for hash_ in listed):
                needed = block.held(hashes)
                if needed is None:
                    return None
                held.append(needed)
        chunks: list[Found] = []
        for chunk in self.find(probes, provisional=False, chunk_rows=rows_max):
            chunks.append(chunk)
            if sum(each.rows.num_rows for each in chunks) > rows_max:
                return None
        return self._together(iter(chunks))

    def lookup_prefixes(self, probes: pa.Table, columns: int) -> Found:
        """Looks up sealed updates whose keys begin with the first `columns` of a probe's key.

        `h` is a layered hash: of whole keys in the arrangement, and of the first columns in the probes.
        """
        found = self._together(find_prefixes(self._spine.batches, self.layout, probes, columns, CHUNK_ROWS))
        self.rows_read += found.rows.num_rows
        return found

    def _together(self, chunks: Iterator[Found]) -> Found:
        found = list(chunks)
        tables = [each.rows for each in found] or [self.layout.schema.empty_table()]
        probe = np.concatenate([np.zeros(0, np.int64), *(each.probe for each in found)])
        return Found(probe, pa.concat_tables(tables))

    def find(self, probes: pa.Table, *, provisional: bool, chunk_rows: int = CHUNK_ROWS) -> Iterator[Found]:
        """Looks up like `lookup`, in chunks of 1 to `chunk_rows` rows."""
        for found in find(self._visible(provisional), self.layout, probes, chunk_rows):
            self.rows_read += found.rows.num_rows
            yield found

    def find_first(self, probes: pa.Table, needed: Indices) -> FoundPrefix:
        """Returns at least the first `needed[i]` sealed rows of probe i; the layout is ordered, and the keys are
        distinct."""
        prefix = find_first(self._spine.batches, self.layout, probes, needed)
        self.rows_read += prefix.rows_read
        return prefix

    def between(self, low: int, high: int, *, provisional: bool, chunk_rows: int = CHUNK_ROWS) -> Iterator[pa.Table]:
        """Returns the updates with h from `low` until before `high`, consolidated, in order of h."""
        chunks = merged(self._visible(provisional), self.layout, None, chunk_rows, between=(low, high))
        return self._tables(chunks)

    def count_matches(self, hashes: Indices) -> Indices:
        """Counts for each of the sorted hashes how many sealed updates have it."""
        return count_matches(self._spine.batches, hashes)

    def rows(self, as_of: int, *, chunk_rows: int = CHUNK_ROWS) -> Iterator[pa.Table]:
        """Yields the sealed contents at `as_of`, added up: k0…, then c0… or a0…, then a diff other than 0."""
        assert self._since is None or as_of >= self._since, f"as of {as_of}, but since is {self._since}"
        names = [*self.layout.key_names, *self.layout.value_names, *self.layout.sum_names, DIFF_COLUMN]
        batches = self._lately(as_of, chunk_rows)
        for chunk in merged(batches, self.layout, as_of, chunk_rows, until=as_of + 1):
            self.rows_read += chunk.num_rows
            yield pa.Table.from_batches([chunk.select(names)])

    def _lately(self, as_of: int, chunk_rows: int) -> tuple[ArrangementBatch, ...]:
        """Returns batches that add up to the sealed contents at `as_of`: preferably the few updates kept by a recent
        read."""
        with self._lock:
            kept = self._recent.batches(as_of)
            if kept is not None:
                return kept
            batches = self._spine.batches
            rows = sum(batch.rows for batch in batches)
            if not self._recent.begin(rows):
                return batches
        try:
            built = self._recent.build(batches, as_of, chunk_rows)
        except BaseException:
            with self._lock:
                self._recent.give_up()
            raise
        with self._lock:
            self._recent.keep(built, as_of, rows)
            return self._recent.batches(as_of) or batches

    def allow_compaction(self, since: int) -> None:
        """Lets merges advance times below `since` to it; since never moves backward."""
        self._since = since if self._since is None else max(self._since, since)

    def drop_hashes_below(self, hash_: int) -> None:
        """Forgets updates with a lesser h: they are never read again, and vanish when batches are merged."""
        self._dropped_below = hash_ if self._dropped_below is None else max(self._dropped_below, hash_)

    @property
    def size(self) -> ArrangementSize:
        """Returns the size of the sealed contents."""
        batches = self._spine.batches
        return ArrangementSize(
            rows=sum(batch.rows for batch in batches),
            batches=len(batches),
            bytes=sum(batch.bytes for batch in batches) + self._recent.bytes,
            memory_bytes=sum(batch.bytes for batch in batches if not batch.files) + self._recent.bytes,
        )

    def _tables(self, chunks: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
        names = self.layout.schema.names
        for chunk in chunks:
            self.rows_read += chunk.num_rows
            yield pa.Table.from_batches([chunk.select(names)], self.layout.schema)

    def _visible(self, provisional: bool) -> tuple[ArrangementBatch, ...]:
        if not provisional:
            return self._spine.batches
        self._sort()
        return (*self._spine.batches, *self._provisional)

    def _sort(self) -> None:
        if not self._unsorted:
            return
        rows = consolidated(self._unsorted, self.layout, None, sorted_pieces=False)
        self._unsorted, self._unsorted_rows, self._unsorted_bytes = [], 0, 0
        if rows.num_rows:
            self._provisional = (*self._provisional, self._spilled(ArrangementBatch.of((Block.of(rows),))))

    def _spilled(self, batch: ArrangementBatch) -> ArrangementBatch:
        """Returns the batch, in a file when the change has become large."""
        store = self._spine.store
        in_memory = batch.bytes + sum(each.bytes for each in self._provisional if not each.files)
        if store is None or in_memory <= self._spine.spill_bytes:
            return batch
        try:
            return write_batch(store, self.layout, batch.blocks)
        except OSError as error:
            if self._bounded:
                raise
            _log.warning("could not write a batch to a file", rows=batch.rows, reason=str(error))
            return batch
