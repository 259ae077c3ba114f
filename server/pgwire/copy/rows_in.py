"""The decoder for a COPY FROM: bytes in any pieces to batches of rows."""

from __future__ import annotations

from typing import Protocol, assert_never

from model.text.context import TextContext
from model.text.copy_options import CheckedCopyOptions, CopyFormat
from model.types.datum import Row
from model.types.relation_desc import RelationDesc
from server.pgwire.copy.binary_in import BinaryDecoder
from server.pgwire.copy.blocks import Batch
from server.pgwire.copy.copied_columns import ColumnReader
from server.pgwire.copy.csv_in import CsvDecoder
from server.pgwire.copy.text_in import TextDecoder


class CopyDecoder(Protocol):
    @property
    def held_bytes(self) -> int:
        """The approximate size of incomplete rows."""
        ...

    def feed(self, data: bytes) -> Batch: ...

    def finish(self) -> list[Row]: ...


def copy_decoder(relation: str, desc: RelationDesc, options: CheckedCopyOptions, context: TextContext) -> CopyDecoder:
    """Returns a decoder; `desc` describes the copied columns; values get its types' modifiers. NOT NULL is the
    receiver's to check."""
    match options.format:
        case CopyFormat.TEXT:
            return TextDecoder(ColumnReader(relation, desc, context), options)
        case CopyFormat.CSV:
            return CsvDecoder(ColumnReader(relation, desc, context), options)
        case CopyFormat.BINARY:
            return BinaryDecoder(relation, desc, context)
        case _:
            assert_never(options.format)
