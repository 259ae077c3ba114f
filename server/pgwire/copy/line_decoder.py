"""The base of the decoders of text and csv: splits data into blocks of lines, reads plain blocks as tables, others
line by line."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterable

import pyarrow as pa

from model.text.copy_options import CheckedCopyOptions
from model.types.datum import Row
from server.pgwire.copy.blocks import Batch, block_reader
from server.pgwire.copy.copied_columns import ColumnReader
from server.pgwire.copy.lines import LINE_BYTES_MAX, EndingFinder, LineCutter, too_long
from server.pgwire.copy.records import RecordBatch


class LineDecoder(ABC):
    """Decodes lines. `_line` is the number of the last line that ended a record; `_open` is the begun part of a
    record."""

    def __init__(self, reader: ColumnReader, options: CheckedCopyOptions, finder: EndingFinder) -> None:
        self._options = options
        self._batch = RecordBatch(reader, options)
        self._blocks = block_reader(reader.desc, options, reader.converters)
        self._cutter = LineCutter(finder)
        self._line = 0
        self._open = io.StringIO()
        self._open_length = 0
        self._ended = False

    @property
    def held_bytes(self) -> int:
        return self._cutter.held_bytes + self._open_length

    def feed(self, data: bytes) -> Batch:
        """Returns the rows that are complete now; raises SqlError with the line's context."""
        block = None if self._ended else self._cutter.feed(data)
        if block is None:
            return []
        table = self._read_block(block)
        return table if table is not None else self._read(self._cutter.lines_of(block), whole=True)

    def _read_block(self, block: bytes) -> pa.Table | None:
        """Reads lines by Arrow; returns None where they must be read one by one."""
        if self._blocks is None or self._open_length or self._batch.header_due or self._cutter.ending != "\n":
            return None
        table = self._blocks.read(block)
        if table is None:
            return None
        lines = block.count(b"\n") + 1
        if lines > table.num_rows and not self._line:
            # PostgreSQL does not count those within the first record.
            return None
        self._line += lines
        return table

    def _hold(self, part: str) -> None:
        self._open.write(part)
        self._open_length += len(part)
        if self._open_length > LINE_BYTES_MAX:
            raise too_long("record")

    def _taken(self) -> str:
        """Returns the held part, and drops it."""
        held, self._open, self._open_length = self._open.getvalue(), io.StringIO(), 0
        return held

    @abstractmethod
    def _read(self, lines: Iterable[str], *, whole: bool) -> list[Row]:
        """Reads lines; `whole` tells whether each had a line end."""
