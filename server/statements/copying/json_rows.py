"""Rows from lines of JSON: one object each, with a column's value under the column's name.

The column's type reads a string's characters, and the JSON text of any other value; a column of JSON takes the value
itself. A missing value is NULL.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc
from server.pgwire.copy.blocks import Batch
from server.pgwire.copy.copied_columns import ColumnReader, Field
from server.statements.copying.json_blocks import DOCUMENTS, json_blocks

_LINE_BYTES_MAX = 64 << 20
_OBJECTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXTS = msgspec.json.Decoder(str)


class JsonDecoder:
    """Bytes in any pieces to rows."""

    def __init__(self, reader: ColumnReader) -> None:
        self._reader = reader
        self._blocks = json_blocks(reader.desc, reader.converters)
        self._kept: list[bytes] = []
        self.held_bytes = 0
        self._line = 0

    def feed(self, data: bytes) -> Batch:
        end = data.rfind(b"\n")
        block = None if end < 0 else b"".join((*self._taken(), data[:end]))
        self._kept.append(data[end + 1 :])
        self.held_bytes += len(self._kept[-1])
        if self.held_bytes > _LINE_BYTES_MAX:
            lines = 0 if block is None else block.count(b"\n") + 1
            message = f"line {self._line + lines + 1} has more than {_LINE_BYTES_MAX} bytes"
            raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)
        if block is None:
            return []
        table = None if self._blocks is None else self._blocks.read(block)
        if table is None:
            return self._rows(block.split(b"\n"))
        self._line += table.num_rows
        return table

    def finish(self) -> list[Row]:
        return self._rows([b"".join(self._taken())])

    def _taken(self) -> list[bytes]:
        """Returns the parts of an unfinished line."""
        kept, self._kept, self.held_bytes = self._kept, [], 0
        return kept

    def _rows(self, lines: list[bytes]) -> list[Row]:
        records, numbers = [], []
        for line in lines:
            self._line += 1
            if line.strip():
                records.append(self._record(line))
                numbers.append(self._line)
        return self._reader.rows(records, numbers)

    def _record(self, line: bytes) -> list[Field]:
        try:
            values = _OBJECTS.decode(line)
            return [_field(values, column) for column in self._reader.desc.columns]
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            refused = SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, "a line is not a JSON object", detail=str(error))
            shown = line[:1_000].decode(errors="replace")
            raise self._reader.line_error(refused, self._line, shown) from None


def _field(values: Mapping[str, msgspec.Raw], column: ColumnDesc) -> Field:
    value = bytes(values.get(column.name, b"null"))
    if value == b"null":
        return None
    is_text = value.startswith(b'"') and column.type.name not in DOCUMENTS
    return _TEXTS.decode(value) if is_text else value.decode()
