"""Batches of rows as DataRow messages: encoded a column at a time, which is where the time goes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

from model.text.context import TextContext
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName
from server.pgwire.encoding.containers import Sender
from server.pgwire.encoding.dispatch import sender
from server.pgwire.large_values import Scale
from server.pgwire.messages import BINARY_FORMAT

ColumnEncoder = Callable[[Sequence[Datum]], list[bytes]]
"""A column's datums to its fields: each with its length before it, -1 alone for NULL."""

_NULL = b"\xff\xff\xff\xff"
_SHORT = [length.to_bytes(4, "big") for length in range(256)]
_HEADER = struct.Struct(">ciH")
_WITH_LENGTH = {TypeName.INT2: ">ih", TypeName.INT4: ">ii", TypeName.INT8: ">iq", TypeName.FLOAT8: ">id"}
_STRINGS = frozenset((TypeName.TEXT, TypeName.VARCHAR, TypeName.JSON, TypeName.NAME, TypeName.UNKNOWN))
_SMALL_BATCH = 4


def length_prefix(length: int) -> bytes:
    return _SHORT[length] if length < 256 else length.to_bytes(4, "big")


def _fixed_width_encoder(format_: str) -> ColumnEncoder:
    pack = struct.Struct(format_).pack
    width = struct.calcsize(format_) - 4
    return lambda column: [_NULL if value is None else pack(width, value) for value in column]


def _general_encoder(send: Sender) -> ColumnEncoder:
    def encode_column(column: Sequence[Datum]) -> list[bytes]:
        fields = []
        for value in column:
            if value is None:
                fields.append(_NULL)
            else:
                data = send(value)
                fields.append(length_prefix(len(data)) + data)
        return fields

    return encode_column


def column_encoder(type_: ScalarType, format_: int, context: TextContext) -> ColumnEncoder:
    if format_ == BINARY_FORMAT and type_.name in _WITH_LENGTH:
        return _fixed_width_encoder(_WITH_LENGTH[type_.name])
    return _general_encoder(sender(type_, format_, context))


class RowEncoder:
    """Encodes batches of rows of one shape; `formats` has one code per column."""

    __slots__ = ("_columns", "_senders", "is_large")

    def __init__(self, desc: RelationDesc, formats: Sequence[int], context: TextContext) -> None:
        pairs = list(zip(desc.types, formats, strict=True))
        self._columns = [column_encoder(type_, format_, context) for type_, format_ in pairs]
        self._senders = [sender(type_, format_, context) for type_, format_ in pairs]
        self.is_large = Scale(desc.types).is_large

    def encode(self, rows: Sequence[Row]) -> bytes:
        """Encodes rows as DataRow messages."""
        if not rows:
            return b""
        if len(rows) <= _SMALL_BATCH:
            return b"".join([part for row in rows for part in self._row_parts(row)])
        arity = len(self._columns)
        if not arity:
            return _HEADER.pack(b"D", 6, 0) * len(rows)
        columns = [encode(column) for encode, column in zip(self._columns, zip(*rows, strict=True), strict=True)]
        pack = _HEADER.pack
        messages = []
        for fields in zip(*columns, strict=True):
            body = b"".join(fields)
            messages.append(pack(b"D", len(body) + 6, arity))
            messages.append(body)
        return b"".join(messages)

    def _row_parts(self, row: Row) -> list[bytes]:
        parts = [b""]
        for value, send in zip(row, self._senders, strict=True):
            if value is None:
                parts.append(_NULL)
            else:
                data = send(value)
                parts.append(length_prefix(len(data)))
                parts.append(data)
        parts[0] = _HEADER.pack(b"D", sum(map(len, parts)) + 6, len(row))
        return parts


class LastEncoder:
    """The encoder that a connection has needed last: most clients ask for the same rows again and again."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[RelationDesc, Sequence[int], TextContext, RowEncoder] | None = None

    def of(self, desc: RelationDesc, formats: Sequence[int], context: TextContext) -> RowEncoder:
        """Returns an encoder; the last one is reused where nothing has changed."""
        last = self._last
        if last is None or last[0] is not desc or last[1] != formats or last[2] is not context:
            last = self._last = desc, formats, context, RowEncoder(desc, formats, context)
        return last[3]


def result_formats(codes: Sequence[int], arity: int) -> list[int] | None:
    """Returns one format code per column: none given means text, one given counts for all; None when they don't fit."""
    if len(codes) == 0:
        return [0] * arity
    if len(codes) == 1:
        return [codes[0]] * arity
    return list(codes) if len(codes) == arity else None
