"""Files of batches in blob: an object for each block, and one for the footer, which is written last.

A key looked up costs the blocks that may hold it, and no more; a file of any size is written block by block. What
nothing names is found by a list of the objects when a state is first tidied: that is what processes wrote that died.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import zlib
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from weakref import WeakValueDictionary

import numpy as np
import pyarrow as pa
import structlog

from compute.arrangement.batch import ArrangementBatch, BatchFile, Block, CorruptFile
from compute.arrangement.batch_footer import (
    FORMAT,
    PIECES_FORMAT,
    FooterBlock,
    decode_footer,
    encode_footer,
)
from compute.arrangement.blob.block_pieces import BlockPieces, divided, joined_pieces, pieces_of
from compute.arrangement.blob.cache import BlockCache
from compute.arrangement.blob.calls import BlockingCalls
from compute.arrangement.blob.copying import FOOTER
from compute.arrangement.equality import Indices, ints
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.arrangement.stores import BatchPlace
from storage.persist.location import Blob

_INCARNATION_DIGITS = 16
OBJECT_BYTES = 4 << 20
"""About how large a block is made here: it is read as a whole where much of it is needed."""
_CHECKSUM_BYTES = 4
_WHOLE_FROM = 4
"""A block of n pieces is read as a whole where n / _WHOLE_FROM of them are needed at once, and when n were read one by
one: they cost as much as the block by then."""
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class FileInUse:
    """A file that blocks refer to: the file stays while any of them does."""

    name: str


LiveFiles = WeakValueDictionary[str, FileInUse]
"""The files in use by this process, by their whole names."""


@dataclass(frozen=True, slots=True)
class BlobPlace:
    """The place of the files of one state: below `prefix`. `incarnation` is the owner's, which is greater than those of
    all processes that owned the state before. `elsewhere`: the same for the owner's tasks; None when they can't."""

    calls: BlockingCalls
    blob: Blob
    cache: BlockCache
    prefix: str
    incarnation: int
    live: LiveFiles
    elsewhere: BatchPlace | None = None


class BlobBatches:
    """The files of one state. `token` is unique to this life of the store."""

    def __init__(self, place: BlobPlace, token: str) -> None:
        self.place = place
        self._token = token
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._writing: dict[str, BlobWriter] = {}
        self._objects: dict[str, list[str]] = {}
        """The keys of the objects of each file that is there, as far as this process knows."""
        self._listed = False
        self._expected: set[str] = set()
        self.damaged: str | None = None

    def writer(self, layout: Layout) -> BlobWriter:
        name = f"{names_of(self.place.incarnation, self._token)}{next(self._numbers)}"
        with self._lock:
            writer = self._writing[name] = BlobWriter(self, name, layout)
        return writer

    def open(self, layout: Layout, file: BatchFile) -> ArrangementBatch:
        """Raises CorruptFile when the footer is missing, or another than was written; raises OSError while blob can't
        be read."""
        if file.format not in (FORMAT, PIECES_FORMAT):
            raise CorruptFile(f"{file.name} has format {file.format}, which this code can't read")
        footer = self.object(file.name, FOOTER, None, file.checksum)
        return self.batch(layout, file, decode_footer(file.name, footer))

    def batch(self, layout: Layout, file: BatchFile, blocks: Sequence[FooterBlock]) -> ArrangementBatch:
        """Returns the batch of a file; a block is read on first use."""
        # Another store of this process may have the file open, and the file stays as long as either has.
        in_use = self.place.live.setdefault(f"{self.place.prefix}/{file.name}", FileInUse(file.name))
        parts = [FOOTER, *map(str, range(len(blocks)))]
        with self._lock:
            self._objects[file.name] = [self.key(file.name, part) for part in parts]
        made = (self._block(layout, in_use, number, block) for number, block in enumerate(blocks))
        return ArrangementBatch.of(tuple(made), file)

    def _block(self, layout: Layout, file: FileInUse, number: int, block: FooterBlock) -> Block:
        sample = np.frombuffer(block.sample, np.int64)
        return _BlobBlock(block, sample, _Object(self, layout, file, number, block))

    def object(self, name: str, part: str, size: int | None, checksum: int) -> pa.Buffer:
        """Returns an object's bytes, from the cache or else from blob. Raises CorruptFile, OSError."""
        key, cache = self.key(name, part), self.place.cache
        if size is not None:
            copy = cache.read(key, size)
            if copy is not None and zlib.crc32(copy) == checksum:
                return copy
            cache.remove(key)
        data = self.downloaded(name, part, checksum)
        return pa.py_buffer(data) if size is None else cache.write(key, data)

    def downloaded(self, name: str, part: str, checksum: int) -> bytes:
        """Returns an object's bytes from blob. Raises CorruptFile, OSError."""
        data = self.place.calls.call(self.place.blob.get(self.key(name, part)))
        if data is None or zlib.crc32(data) != checksum:
            raise self.damage(name, part, missing=data is None)
        return data

    def damage(self, name: str, part: str, *, missing: bool) -> CorruptFile:
        """Returns the error of a damaged file, which is given up."""
        self._give_up(name, self.key(name, part))
        return CorruptFile(f"{name} {'lacks' if missing else 'is damaged in'} its object {part}")

    def _give_up(self, name: str, key: str) -> None:
        """Notes that a file is damaged. Its footer is removed: the next process finds that, and begins without it."""
        self.damaged = name
        _log.error("a file of kept state is damaged", file=name, object=key)
        with contextlib.suppress(OSError):
            self.place.calls.call(self.place.blob.delete(self.key(name, FOOTER)))

    def key(self, name: str, part: str) -> str:
        """Returns the key of an object in blob."""
        return f"{self.place.prefix}/{name}/{part}"

    def make_durable(self, files: Collection[BatchFile]) -> None:
        with self._lock:
            missing = next((file.name for file in files if file.name not in self._objects), None)
        if missing is not None:
            raise OSError(f"{missing} is not in {self.place.prefix}")

    def remove(self, names: Collection[str]) -> None:
        for name in names:
            with self._lock:
                keys = self._objects.get(name, [])
            with contextlib.suppress(OSError):
                self.place.calls.call(delete_objects(self.place, keys))
                with self._lock:
                    self._objects.pop(name, None)

    def remove_garbage(self, named: Collection[str]) -> None:
        with contextlib.suppress(OSError):
            self._list()
        with self._lock:
            expected = tuple(self._expected)
            there = [name for name in self._objects if name not in named and name not in self._writing]
            there = [name for name in there if not name.startswith(expected)]
        # Blocks of files that nothing names may still be read: they go another time.
        self.remove([name for name in there if f"{self.place.prefix}/{name}" not in self.place.live])

    def _list(self) -> None:
        """Finds the files of processes that are no more, once. What a later owner writes is not touched."""
        if self._listed:
            return
        self._know("")
        self._listed = True

    def _know(self, prefix: str) -> None:
        """Finds files whose names begin so. Raises OSError."""
        found: dict[str, list[str]] = {}
        for key in self.place.calls.call(self.place.blob.list_keys(f"{self.place.prefix}/{prefix}")):
            name = key.removeprefix(f"{self.place.prefix}/").partition("/")[0]
            if incarnation_of(name) <= self.place.incarnation:
                found.setdefault(name, []).append(key)
        with self._lock:
            # Written meanwhile: some of its objects may not be in the list.
            own = [name for name in found if name in self._writing]
            self._objects = {**{name: keys for name, keys in found.items() if name not in own}, **self._objects}

    def settle(self, name: str) -> None:
        """Notes that a file is written, or given up."""
        with self._lock:
            self._writing.pop(name, None)

    def expect(self, token: str) -> None:
        with self._lock:
            self._expected.add(names_of(self.place.incarnation, token))

    def expect_no_more(self, token: str) -> None:
        written = names_of(self.place.incarnation, token)
        # What other attempts have written is known from here on, and goes with other garbage.
        with contextlib.suppress(OSError):
            self._know(written)
        with self._lock:
            self._expected.discard(written)

    @property
    def elsewhere(self) -> BatchPlace | None:
        return self.place.elsewhere

    def close(self) -> None:
        with self._lock:
            writing = list(self._writing.values())
        for writer in writing:
            writer.abandon()


class BlobWriter:
    """Writes a single file. A block is on its way to blob while the next one is made."""

    def __init__(self, store: BlobBatches, name: str, layout: Layout) -> None:
        self._store = store
        self._name = name
        self._layout = layout
        self._rows = 0
        self._bytes = 0
        self._blocks: list[FooterBlock] = []
        self._keys: list[str] = []
        self._on_its_way: Future[None] | None = None

    def write(self, block: Block) -> None:
        if block.bytes <= 2 * OBJECT_BYTES:
            self._write(block)
            return
        size = block.rows_in(OBJECT_BYTES)
        for first in range(0, block.count, size):
            self._write(Block.of(block.rows.slice(first, size)))

    def _write(self, block: Block) -> None:
        described, data = divided(block, self._bytes)
        key = self._store.key(self._name, str(len(self._blocks)))
        self._blocks.append(described)
        self._rows += block.count
        self._put(key, data)
        message = block.rows.serialize()
        self._store.place.cache.write(key, message, _end_of(message))

    def _put(self, key: str, data: bytes) -> None:
        self._wait()
        self._keys.append(key)
        self._bytes += len(data)
        self._on_its_way = self._store.place.calls.begin(self._store.place.blob.put(key, data))

    def _wait(self) -> None:
        way, self._on_its_way = self._on_its_way, None
        if way is not None:
            way.result()

    def finish(self) -> ArrangementBatch:
        """Returns the batch; its file is durable."""
        footer, _ = encode_footer(self._blocks)
        # The footer says that the blocks are there.
        self._wait()
        self._put(self._store.key(self._name, FOOTER), footer)
        self._wait()
        file = BatchFile(self._name, self._rows, self._bytes, zlib.crc32(footer), PIECES_FORMAT)
        batch = self._store.batch(self._layout, file, self._blocks)
        self._store.settle(self._name)
        return batch

    def abandon(self) -> None:
        with contextlib.suppress(OSError):
            self._wait()
        with contextlib.suppress(OSError):
            self._store.place.calls.call(delete_objects(self._store.place, self._keys))
        self._store.settle(self._name)


class _Object:
    """The object of a block, and what the cache has of it."""

    def __init__(self, store: BlobBatches, layout: Layout, file: FileInUse, number: int, block: FooterBlock) -> None:
        self._store = store
        self._layout = layout
        self._file = file
        self._part = str(number)
        self._block = block
        self.cache = store.place.cache
        self.key = store.key(file.name, self._part)
        self.pieces = pieces_of(block)

    def read(self) -> pa.RecordBatch:
        """Returns the rows of the whole block. Raises CorruptFile, OSError."""
        rows = pa.ipc.read_record_batch(self._message(), self._layout.stored)
        self.cache.keep_rows(self.key, rows)
        return rows

    def _message(self) -> pa.Buffer:
        if self.pieces is None:
            return self._store.object(self._file.name, self._part, self._block.length, self._block.checksum)
        copy = self.cache.read(self.key)
        if copy is not None:
            message = _message_of(copy)
            if message is not None:
                return message
            self.cache.remove(self.key)
        data = self._store.downloaded(self._file.name, self._part, self._block.checksum)
        message = joined_pieces(self.pieces, pa.py_buffer(data), self._layout.stored).serialize()
        return self.cache.write(self.key, message, _end_of(message))

    def read_pieces(self, pieces: BlockPieces, numbers: Sequence[int]) -> list[pa.RecordBatch]:
        """Returns the rows of some pieces. Raises CorruptFile, OSError."""
        found = dict(self._whole_ones(pieces, numbers, self.cache.read_pieces(self.key, pieces.ranges(numbers))))
        missing = [number for number in numbers if number not in found] if len(found) < len(numbers) else []
        if missing:
            data = self._store.place.blob.read(self.key, pieces.ranges(missing))
            found.update(self._whole_ones(pieces, missing, data))
            if len(found) < len(numbers):
                raise self._store.damage(self._file.name, self._part, missing=data is None)
            self.cache.write_pieces(self.key, [(pieces.begins[number], found[number]) for number in missing])
        return [self._decoded(number, found[number]) for number in numbers]

    def _whole_ones(
        self, pieces: BlockPieces, numbers: Sequence[int], data: Sequence[bytes] | None
    ) -> Iterator[tuple[int, bytes]]:
        """Yields those of the pieces that are as they were written."""
        if data is not None:
            for number, each in zip(numbers, data, strict=True):
                if zlib.crc32(each) == pieces.checksums[number]:
                    yield number, each

    def _decoded(self, number: int, data: bytes) -> pa.RecordBatch:
        rows = pa.ipc.read_record_batch(pa.py_buffer(data), self._layout.stored)
        self.cache.pieces.keep(self.key, number, rows, len(data))
        return rows


def _end_of(message: pa.Buffer) -> bytes:
    """Returns what the cache keeps behind the rows of a block in pieces, which are a single message there: its
    checksum."""
    return zlib.crc32(message).to_bytes(_CHECKSUM_BYTES, "little")


def _message_of(copy: pa.Buffer) -> pa.Buffer | None:
    """Returns the message of what the cache has kept; None when that is damaged."""
    end = max(0, copy.size - _CHECKSUM_BYTES)
    message, checksum = copy.slice(0, end), copy.slice(end)
    return message if checksum.to_pybytes() == _end_of(message) else None


class _BlobBlock(Block):
    """A block whose rows the cache keeps, or does not, as a whole or piece by piece."""

    __slots__ = ("_asked", "_object")

    def __init__(self, block: FooterBlock, sample: Indices, object_: _Object) -> None:
        super().__init__(block.rows, block.memory_bytes, sample, block.first, block.last, object_.read)
        self._object = object_
        self._asked = 0

    @property
    def rows(self) -> pa.RecordBatch:
        rows = self._object.cache.rows(self._object.key)
        return self._read() if rows is None else rows

    @property
    def at_hand(self) -> bool:
        return False

    def held(self, hashes: Indices) -> Sequence[pa.RecordBatch] | None:
        rows = self._object.cache.rows(self._object.key)
        if rows is not None:
            return (rows,)
        pieces = self._object.pieces
        return None if pieces is None else _all(self._kept(self._needed(pieces, hashes, hashes)))

    def narrowed(self, low: Indices, high: Indices) -> Block | None:
        object_, pieces = self._object, self._object.pieces
        if pieces is None or object_.cache.rows(object_.key) is not None:
            return self
        numbers = self._needed(pieces, low, high)
        if not numbers:
            return None
        kept = self._kept(numbers)
        rows = _all(kept)
        if rows is None:
            missing = kept.count(None)
            self._asked += missing
            if missing * _WHOLE_FROM > pieces.count or self._asked > pieces.count or object_.key in object_.cache:
                self._asked = 0
                return self
            lacking = [number for number, piece in zip(numbers, kept, strict=True) if piece is None]
            read = iter(object_.read_pieces(pieces, lacking))
            rows = [next(read) if piece is None else piece for piece in kept]
        together = rows[0] if len(rows) == 1 else pa.concat_batches(rows)
        return Block.of(together, self.bytes * together.num_rows // self.count)

    def _needed(self, pieces: BlockPieces, low: Indices, high: Indices) -> list[int]:
        """Returns the numbers of the pieces that may have hashes between."""
        if len(low) > 1:
            met = (low <= self.last) & (high >= self.first)
            low, high = low[met], high[met]
        return pieces.between(low, high)

    def _kept(self, numbers: Sequence[int]) -> list[pa.RecordBatch | None]:
        """Returns those of the pieces that are in memory."""
        return [self._object.cache.pieces.get(self._object.key, number) for number in numbers]

    @property
    def hashes(self) -> Indices:
        return ints(self.rows.column(HASH_COLUMN))


def _all(kept: Sequence[pa.RecordBatch | None]) -> list[pa.RecordBatch] | None:
    """Returns the pieces if none is missing."""
    there = [piece for piece in kept if piece is not None]
    return there if len(there) == len(kept) else None


def names_of(incarnation: int, token: str) -> str:
    """Returns what the names of the files begin with that a process writes with a token."""
    return f"{incarnation:0{_INCARNATION_DIGITS}x}-{token}-"


def incarnation_of(name: str) -> int:
    """Returns the incarnation of the process that wrote a file; 0 for what no process of this code wrote."""
    try:
        return int(name.partition("-")[0], 16)
    except ValueError:
        return 0


async def delete_objects(place: BlobPlace, keys: Sequence[str]) -> None:
    """Deletes objects and their copies, the footer first. Raises OSError."""
    for footer in (each for each in keys if each.endswith(f"/{FOOTER}")):
        await place.blob.delete(footer)
    await asyncio.gather(*(place.blob.delete(each) for each in keys if not each.endswith(f"/{FOOTER}")))
    for key in keys:
        place.cache.remove(key)
