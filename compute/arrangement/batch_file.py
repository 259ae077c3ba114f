"""Batches as files in a directory: written block by block, read through memory maps.

    block | block | … | footer | number of the footer's bytes (8, little-endian) | MAGIC

A block is a record batch as Arrow's IPC writes it. The footer (see `batch_footer`) says where each block lies, its
checksum, its first and last hash and a sample of its hashes. So a file is opened by its footer alone, however large it
is; a block is compared with its checksum when it is first used.

Files of format 1, which older code wrote, are Arrow IPC files with one checksum of the whole: they are read through
once when they are opened, and merges put files of format 2 in their place.

A file's name is never used twice, and a file never changes once its BatchFile exists. A file that nothing refers to
stays until `remove_garbage`.
"""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import pyarrow as pa
import structlog

from compute.arrangement.batch import ArrangementBatch, BatchFile, Block, CorruptFile
from compute.arrangement.batch_footer import (
    FORMAT,
    FooterBlock,
    decode_footer,
    encode_footer,
    footer_block,
    footer_place,
)
from compute.arrangement.disk import Disk, LocalDisk
from compute.arrangement.layout import Layout

BATCH_SUFFIX = ".arrow"
_READ_BYTES = 1 << 22
_log = structlog.get_logger("arrangements")


@dataclass(frozen=True, slots=True)
class DirectoryPlace:
    """A directory of batch files that another process owns."""

    path: str

    @contextlib.contextmanager
    def store(self, token: str) -> Iterator[BatchDirectory]:
        yield BatchDirectory(Path(self.path), LocalDisk(), token)

    def remove(self, token: str) -> None:
        with contextlib.suppress(OSError):
            for path in Path(self.path).glob(f"{token}-*{BATCH_SUFFIX}"):
                with contextlib.suppress(OSError):
                    path.unlink()


class BatchDirectory:
    """A directory of batch files. `token` is unique to this life of the directory's single owner. Several threads
    may write files."""

    def __init__(self, path: Path, disk: Disk, token: str) -> None:
        self.path = path
        self.disk = disk
        self._token = token
        self._numbers = itertools.count()
        self._writing: dict[str, DirectoryWriter | None] = {}
        self._live: WeakValueDictionary[str, BatchFile] = WeakValueDictionary()
        self._durable: set[str] = set()
        self._expected: set[str] = set()
        self.damaged: str | None = None
        """The name of a file whose rows were found to be others than were written: none of the state is to be kept."""

    def writer(self, layout: Layout) -> DirectoryWriter:
        """Raises OSError when no file can be made."""
        name = f"{self._token}-{next(self._numbers)}{BATCH_SUFFIX}"
        # Before the file is there: another thread may be removing garbage.
        self._writing[name] = None
        try:
            writer = self._writing[name] = DirectoryWriter(self, name, layout)
        except BaseException:
            self.settle(name)
            raise
        return writer

    def open(self, layout: Layout, file: BatchFile) -> ArrangementBatch:
        """Raises CorruptFile when the file is missing, has another length or another footer than it was written with.
        Blocks are compared with their checksums on first use; of format 1, here."""
        try:
            mapped = self._mapped(file)
            if file.format == 1:
                checksum = _checked(self.path / file.name)
        except OSError as error:
            raise CorruptFile(f"{file.name} can't be read: {error}") from error
        if file.format == 1:
            if checksum != file.checksum:
                raise CorruptFile(f"{file.name} has checksum {checksum}, not {file.checksum}")
            return self._whole(layout, file, mapped)
        if file.format != FORMAT:
            raise CorruptFile(f"{file.name} has format {file.format}, which this code can't read")
        begin, end = footer_place(file.name, memoryview(mapped))
        footer = mapped.slice(begin, end - begin)
        if zlib.crc32(footer) != file.checksum:
            raise CorruptFile(f"the footer of {file.name} is damaged")
        return self._batch(layout, file, mapped, decode_footer(file.name, footer))

    def map(self, layout: Layout, file: BatchFile, blocks: Sequence[FooterBlock]) -> ArrangementBatch:
        """Returns the batch of a file that has just been written; pages are read on first use."""
        return self._batch(layout, file, self._mapped(file), blocks)

    def _mapped(self, file: BatchFile) -> pa.Buffer:
        """Returns the file's bytes, not yet read. Raises OSError; raises CorruptFile when the file has another
        length."""
        path = self.path / file.name
        size = path.stat().st_size
        if size != file.bytes:
            # Of an empty file no memory map can be made.
            raise CorruptFile(f"{file.name} has {size} bytes, not {file.bytes}")
        return pa.memory_map(str(path)).read_buffer()

    def _batch(
        self, layout: Layout, file: BatchFile, mapped: pa.Buffer, blocks: Sequence[FooterBlock]
    ) -> ArrangementBatch:
        self._live[file.name] = file
        return ArrangementBatch.of(tuple(self._block(layout, file.name, mapped, each) for each in blocks), file)

    def _block(self, layout: Layout, name: str, mapped: pa.Buffer, block: FooterBlock) -> Block:
        def read() -> pa.RecordBatch:
            message = mapped.slice(block.offset, block.length)
            if zlib.crc32(message) != block.checksum:
                self._give_up(name, block.offset)
                raise CorruptFile(f"{name} is damaged in the block from byte {block.offset} on")
            return pa.ipc.read_record_batch(message, layout.stored)

        sample = np.frombuffer(block.sample, np.int64)
        return Block(block.rows, block.memory_bytes, sample, block.first, block.last, read)

    def _give_up(self, name: str, offset: int) -> None:
        """Notes that a file is damaged, and removes it: the next process finds it missing, and begins without it."""
        self.damaged = name
        _log.error("a file of kept state is damaged", directory=str(self.path), file=name, offset=offset)
        with contextlib.suppress(OSError):
            self.disk.remove(self.path / name)

    def _whole(self, layout: Layout, file: BatchFile, mapped: pa.Buffer) -> ArrangementBatch:
        """Returns the batch of a file of format 1."""
        self._live[file.name] = file
        reader = pa.ipc.open_file(mapped)
        if reader.schema != layout.stored:
            raise CorruptFile(f"{file.name} has columns {reader.schema.names}, not {layout.stored.names}")
        return ArrangementBatch.of(tuple(Block.of(reader.get_batch(i)) for i in range(reader.num_record_batches)), file)

    def make_durable(self, files: Collection[BatchFile]) -> None:
        for file in files:
            if file.name not in self._durable:
                self.disk.sync(self.path / file.name)
        self.disk.sync_directory(self.path)
        self._durable |= {file.name for file in files}

    def remove(self, names: Collection[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                self.disk.remove(self.path / name)

    def settle(self, name: str) -> None:
        """Ends the care for a file that is written, or given up."""
        self._writing.pop(name, None)

    def remove_garbage(self, named: Collection[str]) -> None:
        """Removes batches that are neither `named` nor in use, as far as possible."""
        there = [path.name for path in sorted(self.path.glob(f"*{BATCH_SUFFIX}"))]
        # Not before: a tick that begins meanwhile expects its files before they are there.
        expected = tuple(self._expected)
        there = [name for name in there if not name.startswith(expected)]
        # Each is looked up: other threads add files meanwhile, and files in use must not be listed then.
        self.remove([name for name in there if not (name in named or name in self._writing or name in self._live)])
        self._durable &= set(named)

    def expect(self, token: str) -> None:
        self._expected.add(f"{token}-")

    def expect_no_more(self, token: str) -> None:
        self._expected.discard(f"{token}-")

    @property
    def elsewhere(self) -> DirectoryPlace:
        return DirectoryPlace(str(self.path))

    def close(self) -> None:
        """Abandons all files still being written."""
        for writer in list(self._writing.values()):
            if writer is not None:
                writer.abandon()


class DirectoryWriter:
    """Writes a single file: `write` blocks, then `finish` or `abandon`."""

    def __init__(self, directory: BatchDirectory, name: str, layout: Layout) -> None:
        self._directory = directory
        self._name = name
        self._layout = layout
        self._rows = 0
        self._bytes = 0
        self._blocks: list[FooterBlock] = []
        self._file = directory.disk.create(directory.path / name)

    def write(self, block: Block) -> None:
        message = block.rows.serialize()
        self._blocks.append(footer_block(block, self._bytes, message))
        self._rows += block.count
        self._put(message)

    def _put(self, data: pa.Buffer | bytes) -> None:
        self._file.write(data)
        self._bytes += len(memoryview(data))

    def finish(self) -> ArrangementBatch:
        """Returns the batch; its file is complete but not synced."""
        footer, end = encode_footer(self._blocks)
        self._put(footer)
        self._put(end)
        self._file.close()
        file = BatchFile(self._name, self._rows, self._bytes, zlib.crc32(footer), FORMAT)
        batch = self._directory.map(self._layout, file, self._blocks)
        self._directory.settle(self._name)
        return batch

    def abandon(self) -> None:
        """Removes the incomplete file; if removing fails, the file is garbage."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._directory.disk.remove(self._directory.path / self._name)
        self._directory.settle(self._name)


def _checked(path: Path) -> int:
    """Returns the CRC-32 of a whole file."""
    checksum = 0
    with path.open("rb") as file:
        while data := file.read(_READ_BYTES):
            checksum = zlib.crc32(data, checksum)
    return checksum
