"""Batches as Arrow IPC files in a directory: written block by block, read through memory maps.

A file's name is never used twice, and a file never changes once its BatchFile exists. A file that nothing refers to
stays until `remove_garbage`.
"""

from __future__ import annotations

import contextlib
import itertools
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from weakref import WeakValueDictionary

import pyarrow as pa

from compute.arrangement.batch import ArrangementBatch, Block
from compute.arrangement.disk import Disk
from compute.arrangement.layout import Layout

BATCH_SUFFIX = ".arrow"
_READ_BYTES = 1 << 22


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class BatchFile:
    """`checksum` is the CRC-32 of the file's `bytes` bytes."""

    name: str
    rows: int
    bytes: int
    checksum: int


class CorruptFile(Exception):
    """A batch's file is missing, or is not what was written."""


class BatchDirectory:
    """A directory of batch files. `token` is unique to this life of the directory's single owner. Several threads
    may write files."""

    def __init__(self, path: Path, disk: Disk, token: str) -> None:
        self.path = path
        self.disk = disk
        self._token = token
        self._numbers = itertools.count()
        self._writing: dict[str, BatchWriter | None] = {}
        self._live: WeakValueDictionary[str, BatchFile] = WeakValueDictionary()

    def writer(self, layout: Layout) -> BatchWriter:
        """OSError when no file can be made."""
        name = f"{self._token}-{next(self._numbers)}{BATCH_SUFFIX}"
        # Before the file is there: another thread may be removing garbage.
        self._writing[name] = None
        try:
            writer = self._writing[name] = BatchWriter(self, name, layout)
        except BaseException:
            self.settle(name)
            raise
        return writer

    def write(self, layout: Layout, blocks: Sequence[Block]) -> ArrangementBatch:
        """Writes blocks to a file. OSError without room; the incomplete file is removed."""
        writer = self.writer(layout)
        try:
            for block in blocks:
                writer.write(block)
            return writer.finish()
        except BaseException:
            writer.abandon()
            raise

    def open(self, layout: Layout, file: BatchFile) -> ArrangementBatch:
        """CorruptFile unless the file has the length and checksum it was written with."""
        path = self.path / file.name
        try:
            size, checksum = _checked(path)
        except OSError as error:
            raise CorruptFile(f"{file.name} can't be read: {error}") from error
        if (size, checksum) != (file.bytes, file.checksum):
            raise CorruptFile(
                f"{file.name} has {size} bytes and checksum {checksum}, not {file.bytes}, {file.checksum}"
            )
        return self.map(layout, file)

    def map(self, layout: Layout, file: BatchFile) -> ArrangementBatch:
        """Returns the file's batch; pages are read on first use."""
        self._live[file.name] = file
        reader = pa.ipc.open_file(pa.memory_map(str(self.path / file.name)))
        if reader.schema != layout.stored:
            raise CorruptFile(f"{file.name} has columns {reader.schema.names}, not {layout.stored.names}")
        return ArrangementBatch.of(tuple(Block.of(reader.get_batch(i)) for i in range(reader.num_record_batches)), file)

    def settle(self, name: str) -> None:
        """The file is written, or given up."""
        self._writing.pop(name, None)

    def remove_garbage(self, named: Collection[str]) -> None:
        """Removes batches that are neither `named` nor in use, as far as possible."""
        for path in sorted(self.path.glob(f"*{BATCH_SUFFIX}")):
            if path.name not in named and path.name not in self._writing and path.name not in self._live:
                with contextlib.suppress(OSError):
                    self.disk.remove(path)

    def close(self) -> None:
        """Abandons all files still being written."""
        for writer in list(self._writing.values()):
            if writer is not None:
                writer.abandon()


class BatchWriter:
    """Writes a single file: `write` blocks, then `finish` or `abandon`."""

    def __init__(self, directory: BatchDirectory, name: str, layout: Layout) -> None:
        self._directory = directory
        self._name = name
        self._layout = layout
        self._rows = 0
        self._file = _Checksummed(directory.disk.create(directory.path / name))
        self._writer = pa.ipc.new_file(pa.PythonFile(self._file, "w"), layout.stored)

    def write(self, block: Block) -> None:
        self._writer.write_batch(block.rows)
        self._rows += block.rows.num_rows

    def finish(self) -> ArrangementBatch:
        """Returns the batch; its file is complete but not synced."""
        self._writer.close()
        self._file.close()
        file = BatchFile(self._name, self._rows, self._file.size, self._file.checksum)
        batch = self._directory.map(self._layout, file)
        self._directory.settle(self._name)
        return batch

    def abandon(self) -> None:
        """Removes the incomplete file; if removing fails, the file is garbage."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._directory.disk.remove(self._directory.path / self._name)
        self._directory.settle(self._name)


class _Checksummed:
    """A file that counts and checksums written bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = 0
        self.checksum = 0

    @property
    def closed(self) -> bool:
        return self._file.closed

    def write(self, data: bytes) -> int:
        self._file.write(data)
        self.checksum = zlib.crc32(data, self.checksum)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _checked(path: Path) -> tuple[int, int]:
    size = checksum = 0
    with path.open("rb") as file:
        while data := file.read(_READ_BYTES):
            size += len(data)
            checksum = zlib.crc32(data, checksum)
    return size, checksum
