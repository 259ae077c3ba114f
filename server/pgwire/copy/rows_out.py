"""Rows to COPY's data: one piece of bytes for each row, a column at a time inside."""

from __future__ import annotations

from collections.abc import Sequence

from model.text.context import TextContext
from model.text.copied_rows import LineEncoder
from model.text.copy_options import CheckedCopyOptions, CopyFormat, CopyHeader
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.pgwire.copy.binary_in import BINARY_TRAILER, binary_header, binary_row
from server.pgwire.encoding.data_rows import column_encoder
from server.pgwire.large_values import Scale
from server.pgwire.messages import BINARY_FORMAT


class CopyEncoder:
    """Encodes the rows of COPY TO. `begin`, `encode` for each batch, `end`; each gives pieces to be sent as
    CopyData."""

    def __init__(self, desc: RelationDesc, options: CheckedCopyOptions, context: TextContext) -> None:
        self.is_large = Scale(desc.types).is_large
        self._options = options
        self._binary = options.format is CopyFormat.BINARY
        # As in PostgreSQL the binary header comes in one message with the first row, or with the trailer.
        self._due = b""
        self._binary_columns = [column_encoder(t, BINARY_FORMAT, context) for t in desc.types] if self._binary else []
        self._lines = None if self._binary else LineEncoder(desc, options, context)

    def begin(self) -> list[bytes]:
        if self._lines is None:
            self._due = binary_header()
            return []
        return [] if self._options.header is CopyHeader.ABSENT else [self._lines.header()]

    def encode(self, rows: Sequence[Row]) -> list[bytes]:
        if not rows:
            return []
        return self._encode_binary(rows) if self._lines is None else self._lines.lines(rows)

    def end(self) -> list[bytes]:
        return [self._due + BINARY_TRAILER] if self._binary else []

    def _encode_binary(self, rows: Sequence[Row]) -> list[bytes]:
        fields = [e(c) for e, c in zip(self._binary_columns, zip(*rows, strict=True), strict=True)]
        pieces = [binary_row(row) for row in zip(*fields, strict=True)] if fields else [binary_row(())] * len(rows)
        pieces[0] = self._due + pieces[0]
        self._due = b""
        return pieces
