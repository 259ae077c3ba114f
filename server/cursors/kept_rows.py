"""The rows that a cursor may come back to, by number: packed in memory up to a bound, then in a file.

The file is scratch and has no name: nothing is left of it after kill -9.
"""

from __future__ import annotations

import errno
import os
import pickle
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from storage.persist.runner import Runner

KEPT_BYTES_MAX = 8 << 20
ALL_KEPT_BYTES_MAX = 64 << 20
"""Of all cursors together."""
PAGE_ROWS = 256


class KeptMemory:
    """The memory for kept rows of all cursors."""

    def __init__(self, bytes_max: int = ALL_KEPT_BYTES_MAX) -> None:
        self._left = bytes_max

    def take(self, nbytes: int) -> bool:
        """Takes so many bytes; tells whether there was room."""
        if nbytes > self._left:
            return False
        self._left -= nbytes
        return True

    def give_back(self, nbytes: int) -> None:
        self._left += nbytes


_TOGETHER = KeptMemory()


@dataclass(slots=True)
class _Page:
    """PAGE_ROWS rows, packed; in the file at `offset` when `data` is None."""

    size: int
    data: bytes | None
    offset: int = 0


class KeptRows:
    """Rows are numbered from 1 in the order of `append`. One call at a time."""

    def __init__(self, runner: Runner, bytes_max: int = KEPT_BYTES_MAX, together: KeptMemory = _TOGETHER) -> None:
        self._together = together
        self._runner = runner
        self._bytes_max = bytes_max
        self._pages: list[_Page | None] = []
        self._tail: list[Row] = []
        self._memory_bytes = 0
        self._file: IO[bytes] | None = None
        self._file_end = 0
        self._forgotten_pages = 0

    @property
    def count(self) -> int:
        """The number of rows appended."""
        return len(self._pages) * PAGE_ROWS + len(self._tail)

    @property
    def memory_bytes(self) -> int:
        """The size of packed rows in memory."""
        return self._memory_bytes

    async def append(self, rows: Sequence[Row]) -> None:
        """Appends rows, and packs each full page of them. Raises SqlError 53100 when the disk is full."""
        self._tail.extend(rows)
        while len(self._tail) >= PAGE_ROWS:
            page, self._tail = self._tail[:PAGE_ROWS], self._tail[PAGE_ROWS:]
            self._pages.append(await self._packed(page))

    async def slice(self, first: int, last: int) -> list[Row]:
        """Returns the rows from number `first` to `last`, which have been appended and not been forgotten."""
        rows: list[Row] = []
        number = first
        while number <= last:
            index, at = divmod(number - 1, PAGE_ROWS)
            page = self._tail if index == len(self._pages) else await self._unpacked(index)
            taken = page[at : at + last - number + 1]
            assert taken, "rows are read that were kept"
            rows.extend(taken)
            number += len(taken)
        return rows

    def forget_before(self, number: int) -> None:
        """Drops the rows before a number, which will not be asked for again."""
        for index in range(self._forgotten_pages, min((number - 1) // PAGE_ROWS, len(self._pages))):
            page = self._pages[index]
            if page is not None and page.data is not None:
                self._memory_bytes -= page.size
                self._together.give_back(page.size)
            self._pages[index] = None
            self._forgotten_pages = index + 1

    def close(self) -> None:
        self._pages.clear()
        self._tail.clear()
        self._together.give_back(self._memory_bytes)
        self._memory_bytes = 0
        if self._file is not None:
            self._file.close()
            self._file = None

    async def _packed(self, rows: list[Row]) -> _Page:
        data = pickle.dumps(rows, pickle.HIGHEST_PROTOCOL)
        if self._memory_bytes + len(data) <= self._bytes_max and self._together.take(len(data)):
            self._memory_bytes += len(data)
            return _Page(len(data), data)
        offset, self._file_end = self._file_end, self._file_end + len(data)
        try:
            await self._runner.run(lambda: self._write(data, offset))
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            state = Sqlstate.DISK_FULL if full else Sqlstate.IO_ERROR
            raise SqlError(state, "could not write what a cursor keeps", detail=str(error)) from error
        return _Page(len(data), None, offset)

    async def _unpacked(self, index: int) -> list[Row]:
        page = self._pages[index]
        assert page is not None, "what was forgotten is not asked for"
        data = page.data if page.data is not None else await self._runner.run(lambda: self._read(page))
        # Written by this process, into a file that nobody else can open.
        rows: list[Row] = pickle.loads(data)
        return rows

    def _write(self, data: bytes, offset: int) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="headwater-cursor-")  # noqa: SIM115
        written = 0
        while written < len(data):
            written += os.pwrite(self._file.fileno(), data[written:], offset + written)

    def _read(self, page: _Page) -> bytes:
        assert self._file is not None, "the page was written"
        data = b""
        while len(data) < page.size:
            piece = os.pread(self._file.fileno(), page.size - len(data), page.offset + len(data))
            assert piece, "a scratch file holds what was written to it"
            data += piece
        return data
