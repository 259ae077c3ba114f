"""Writers of rows to one file, in one format. They write at once, and block."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from connectors.sinks.plain_columns import document_lines
from connectors.sinks.plain_parquet import PlainParquet
from model.physical.columns import rows_to_arrow
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.pgwire.copy.rows_out import CopyEncoder
from server.statements.copying.places import MadeFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class RowsWriter(Protocol):
    """A writer of one file."""

    def begin(self) -> None: ...

    def add(self, rows: Sequence[Row]) -> None: ...

    def end(self) -> None: ...

    def abandon(self) -> None:
        """Gives up: writes nothing more to the file."""
        ...


class WireWriter:
    """Writes rows in a format of the wire protocol: text, CSV or binary."""

    def __init__(self, file: MadeFile, encoder: CopyEncoder) -> None:
        self._file = file
        self._encoder = encoder

    def begin(self) -> None:
        self._write(self._encoder.begin())

    def add(self, rows: Sequence[Row]) -> None:
        self._write(self._encoder.encode(rows))

    def end(self) -> None:
        self._write(self._encoder.end())

    def abandon(self) -> None:
        """Does nothing: the writer holds nothing."""

    def _write(self, pieces: Sequence[bytes]) -> None:
        for piece in pieces:
            self._file.write(piece)


class JsonWriter:
    """Writes rows as lines of JSON."""

    def __init__(self, file: MadeFile, desc: RelationDesc) -> None:
        self._file = file
        self._desc = desc

    def begin(self) -> None:
        """Writes nothing: the format has nothing before the first row."""

    def add(self, rows: Sequence[Row]) -> None:
        self._file.write(document_lines(rows_to_arrow(rows, self._desc), self._desc))

    def end(self) -> None:
        """Writes nothing: the format has nothing behind the last row."""

    def abandon(self) -> None:
        """Does nothing: the writer holds nothing."""


class _Written(io.RawIOBase):
    """A stream for Arrow to write to, which passes the bytes on to the file; once `left`, it drops them."""

    def __init__(self, file: MadeFile) -> None:
        self.left = False
        self._file = file
        self._at = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def write(self, data: ReadableBuffer) -> int:
        written = bytes(data)
        self._at += len(written)
        if not self.left:
            self._file.write(written)
        return len(written)


class ParquetWriter:
    """Writes Parquet for other programs."""

    def __init__(self, file: MadeFile, desc: RelationDesc) -> None:
        self._desc = desc
        self._written = _Written(file)
        self._parquet = PlainParquet(self._written, desc)

    def begin(self) -> None:
        """Does nothing: the constructor has begun the file."""

    def add(self, rows: Sequence[Row]) -> None:
        self._parquet.add(rows_to_arrow(rows, self._desc))

    def add_group(self, rows: pa.Table) -> None:
        """Adds rows in a piece's form."""
        self._parquet.add_group(rows)

    def end(self) -> None:
        self._parquet.end()
        self._parquet.close()

    def abandon(self) -> None:
        # A writer ends its file when it is forgotten, whether or not there is one.
        self._written.left = True
        self._parquet.close()
