"""COPY FROM in binary format: a header, tuples of counted fields, a trailer of -1."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.context import TextContext
from model.text.modifiers import apply_modifier
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType
from server.pgwire.copy.copied_columns import with_context
from server.pgwire.copy.lines import LINE_BYTES_MAX, too_long
from server.pgwire.encoding.containers import Receiver
from server.pgwire.encoding.dispatch import receiver
from server.pgwire.messages import BINARY_FORMAT

SIGNATURE = b"PGCOPY\n\xff\r\n\0"
_COUNT = struct.Struct(">h")
_LENGTH = struct.Struct(">i")
_FIXED_HEADER = len(SIGNATURE) + 8
_CRITICAL_FLAGS = 0xFFFF0000
_FORBIDDEN_OIDS = 1 << 16


def _bad(message: str) -> SqlError:
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message)


class BinaryDecoder:
    """Decodes COPY's binary format; holds the begun part of one tuple, at most LINE_BYTES_MAX bytes."""

    def __init__(self, relation: str, desc: RelationDesc, context: TextContext) -> None:
        self._relation = relation
        self._names = desc.names
        self._receivers = [_modified(type_, receiver(type_, BINARY_FORMAT, context)) for type_ in desc.types]
        self._buffer = bytearray()
        self._needed = _FIXED_HEADER
        self._header_read = False
        self._ended = False
        self._line = 0

    @property
    def held_bytes(self) -> int:
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Row]:
        """Returns the rows that became whole. Raises SqlError with the row's number as the line."""
        if self._ended:
            if data:
                raise self._error(_bad("received copy data after EOF marker"))
            return []
        self._buffer += data
        if len(self._buffer) < self._needed:
            return []
        rows: list[Row] = []
        raw = bytes(self._buffer)
        position = 0
        if not self._header_read:
            position = self._read_header(raw)
            if position == 0:
                return []
        while (end := self._read_tuple(raw, position, rows)) is not None:
            position = end
        if self._ended and position < len(raw):
            raise self._error(_bad("received copy data after EOF marker"))
        del self._buffer[:position]
        return rows

    def finish(self) -> list[Row]:
        """Ends the data, and returns no further rows. Raises 22P04 when the data ended early; the trailer may be
        missing, as PostgreSQL allows."""
        if not self._header_read:
            raise self._error(_bad("COPY file signature not recognized"))
        if self._buffer:
            raise self._error(_bad("unexpected EOF in COPY data"))
        return []

    def _error(self, error: SqlError) -> SqlError:
        return with_context(error, f"COPY {self._relation}, line {self._line}")

    def _read_header(self, raw: bytes) -> int:
        """Returns the offset of the first tuple; 0 when the header is incomplete."""
        if not raw.startswith(SIGNATURE):
            raise _bad("COPY file signature not recognized")
        flags, extension = struct.unpack_from(">Ii", raw, len(SIGNATURE))
        if flags & _FORBIDDEN_OIDS:
            raise _bad("invalid COPY file header (WITH OIDS)")
        if flags & _CRITICAL_FLAGS:
            raise _bad("unrecognized critical flags in COPY file header")
        if extension < 0:
            raise _bad("invalid COPY file header (missing length)")
        self._need(_FIXED_HEADER + extension)
        if len(raw) < self._needed:
            return 0
        self._header_read = True
        return self._needed

    def _need(self, length: int) -> None:
        self._needed = length
        if length > LINE_BYTES_MAX:
            raise too_long("row")

    def _read_tuple(self, raw: bytes, start: int, rows: list[Row]) -> int | None:
        """Appends the tuple at `start` and returns its end; None at the trailer, and for an incomplete tuple: then
        `_needed` is the number of bytes to wait for."""
        if self._ended or not self._has(raw, start, start + _COUNT.size):
            return None
        count = _COUNT.unpack_from(raw, start)[0]
        position = start + _COUNT.size
        if count == -1:
            self._ended = True
            return position
        if count != len(self._names):
            self._line += 1
            raise self._error(_bad(f"row field count is {count}, expected {len(self._names)}"))
        fields: list[bytes | None] = []
        size = len(raw)
        for _ in range(count):
            if position + _LENGTH.size > size:
                self._need(position + _LENGTH.size - start)
                return None
            length = _LENGTH.unpack_from(raw, position)[0]
            position += _LENGTH.size
            if length == -1:
                fields.append(None)
                continue
            if length < -1:
                self._line += 1
                raise self._error(_bad("invalid field size"))
            end = position + length
            if end > size:
                self._need(end - start)
                return None
            fields.append(raw[position:end])
            position = end
        self._line += 1
        rows.append(self._values(fields))
        return position

    def _has(self, raw: bytes, start: int, end: int) -> bool:
        if end > len(raw):
            self._need(end - start)
            return False
        return True

    def _values(self, fields: Sequence[bytes | None]) -> Row:
        values: list[Datum] = []
        try:
            for receive, data in zip(self._receivers, fields, strict=True):
                values.append(None if data is None else receive(data))
        except SqlError as error:
            context = f"COPY {self._relation}, line {self._line}, column {self._names[len(values)]}"
            raise with_context(error, context) from None
        return tuple(values)


def _modified(type_: ScalarType, receive: Receiver) -> Receiver:
    """Returns the receive function, then the type's modifier, as in an assignment."""
    element_modifier = type_.element.modifier if type_.element is not None else -1
    if type_.modifier < 0 and element_modifier < 0:
        return receive
    return lambda data: apply_modifier(receive(data), type_, explicit=False)


def binary_header() -> bytes:
    return SIGNATURE + bytes(8)


def binary_row(fields: Sequence[bytes]) -> bytes:
    """Writes a tuple of fields that carry their lengths."""
    return _COUNT.pack(len(fields)) + b"".join(fields)


BINARY_TRAILER = _COUNT.pack(-1)
