"""The vectors of an arrangement's blocks as matrices of singles: decoded once, kept for as long as the block is, within
a bound of bytes.

Reads go over all blocks in turn, so what a read has lately used is never driven out by what another needs: whatever
finds no room is decoded for each read.
"""

from __future__ import annotations

import os
import threading
import weakref
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from compute.arrangement.batch import Block
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.physical.columns import column_name
from planner.functions.types.distances import Doubles, singles_of

Positions = npt.NDArray[np.int64]
_AT_ONCE_ROWS = 1024
_READS_KEPT = 16
_SHARE_OF_MEMORY = 8
_BYTES_MIN = 64 << 20


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """The vectors of a column: `numbers` (vectors, dimensions), the `squares` of their lengths, and the rows `at` which
    they stand; None: in all rows."""

    numbers: npt.NDArray[np.float32]
    squares: Doubles
    at: Positions | None

    @property
    def bytes(self) -> int:
        return self.numbers.nbytes + self.squares.nbytes + (0 if self.at is None else self.at.nbytes)


@dataclass(slots=True)
class _Kept:
    matrix: VectorMatrix
    read: int


class Matrices:
    """Keeps matrices of up to `bytes_max` bytes. Safe to use from several threads."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._bytes = 0
        self._reads = 0
        self._kept: dict[tuple[int, int], _Kept] = {}
        # Blocks end anywhere, also while the lock is held by the same thread.
        self._lock = threading.RLock()

    @property
    def bytes(self) -> int:
        """Returns the size of what is kept."""
        return self._bytes

    def begin(self) -> int:
        """Returns the number of a read that begins."""
        with self._lock:
            self._reads += 1
            return self._reads

    def of(self, block: Block, column: int, dimensions: int, read: int) -> VectorMatrix:
        """Returns the vectors in a column of the block, for the read. SqlError: one has other dimensions."""
        key = id(block), column
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None and kept.matrix.numbers.shape[1] == dimensions:
                kept.read = read
                return kept.matrix
        matrix = vector_matrix(block.rows.column(column_name(column)), dimensions)
        with self._lock:
            # Another read may have decoded the same block meanwhile.
            if key not in self._kept and self._make_room(matrix.bytes, read):
                self._kept[key] = _Kept(matrix, read)
                self._bytes += matrix.bytes
                weakref.finalize(block, self._drop, key).atexit = False
        return matrix

    def _make_room(self, needed: int, read: int) -> bool:
        """Drops matrices that no recent read has used, the oldest first; returns whether there is room then."""
        if self._bytes + needed <= self._bytes_max:
            return True
        for key, kept in sorted(self._kept.items(), key=lambda item: item[1].read):
            if kept.read >= read - _READS_KEPT:
                return False
            self._drop(key)
            if self._bytes + needed <= self._bytes_max:
                return True
        return False

    def _drop(self, key: tuple[int, int]) -> None:
        with self._lock:
            kept = self._kept.pop(key, None)
            if kept is not None:
                self._bytes -= kept.matrix.bytes


def usual_matrices() -> Matrices:
    """Returns the matrices of a process: they take an eighth of the machine's memory at most."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Matrices(max(memory // _SHARE_OF_MEMORY, _BYTES_MIN))


def vector_matrix(column: pa.Array, dimensions: int) -> VectorMatrix:
    """Returns the vectors of a column. SqlError: one has other dimensions."""
    valid = column.drop_null()
    lengths = np.diff(_offsets(valid))
    width = 4 * dimensions
    if (lengths != width).any():
        raise SqlError(Sqlstate.DATA_EXCEPTION, f"different vector dimensions {lengths.max() // 4} and {dimensions}")
    numbers = np.empty((len(valid), dimensions), np.float32)
    squares = np.empty(len(valid), np.float64)
    begin = 0 if not len(valid) else int(_offsets(valid)[0])
    held = memoryview(valid.buffers()[2] or b"")
    for first in range(0, len(valid), _AT_ONCE_ROWS):
        last = min(first + _AT_ONCE_ROWS, len(valid))
        some = singles_of(held[begin + first * width : begin + last * width], dimensions)
        numbers[first:last] = some
        doubles = some.astype(np.float64)
        np.einsum("ij,ij->i", doubles, doubles, out=squares[first:last])
    at = np.flatnonzero(column.is_valid().to_numpy(zero_copy_only=False)) if column.null_count else None
    return VectorMatrix(numbers, squares, at)


def _offsets(column: pa.Array) -> npt.NDArray[np.int32]:
    """Returns where the values of a column of bytes begin, and where the last ends."""
    if not len(column):
        return np.zeros(1, np.int32)
    return np.frombuffer(column.buffers()[1], np.int32)[column.offset : column.offset + len(column) + 1]
