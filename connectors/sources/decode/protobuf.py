"""Decodes Protocol Buffers: a message's fields, by the protobuf library.

Fields that the schema does not know are skipped, as is usual with Protobuf, so writers may be newer or older than the
source. In Confluent's wire format the schema's number is followed by the place of the record's message type in its
file, which must be the source's type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

from connectors.sources.decode.framing import unframed
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.protobuf_schema import is_map, load_protobuf, place_in_file
from model.external.records import SchemaFields
from model.text.strings import parse_text
from model.types.datum import Datum, Row
from model.types.maps import map_from

_KEPT = 256
_INDEXES_MAX = 50

_Read = Callable[[Any], Datum]
"""A field of a message, or of what it repeats, as a datum. It raises SqlError."""


def protobuf_reader(fields: SchemaFields) -> Callable[[bytes], Row]:
    """Returns the function that decodes one record. Raises SqlError for an unusable schema; the function raises
    SqlError for bytes that are no message."""
    reader = _reader(fields.schema, fields.message)
    return lambda value: reader.row(value, framed=fields.framed)


@lru_cache(_KEPT)
def _reader(schema: str, message: str | None) -> _ProtobufReader:
    return _ProtobufReader(load_protobuf(schema, message))


class _ProtobufReader:
    """Decodes messages of one type."""

    def __init__(self, message: Descriptor) -> None:
        self._parse = GetMessageClass(message).FromString
        self._fields = tuple(map(_field, message.fields))
        self._place = place_in_file(message)

    def row(self, value: bytes, *, framed: bool) -> Row:
        """Decodes exactly one message; raises SqlError for anything else."""
        begin = 0
        if framed:
            _, begin = unframed(value)
            place, begin = _indexes(value, begin)
            if place != self._place:
                raise _malformed(f"it is message {list(place)} of its file, not {list(self._place)}")
        try:
            message = self._parse(value[begin:])
            return tuple([read(message) for read in self._fields])
        except (DecodeError, UnicodeDecodeError) as error:
            raise _malformed(str(error)) from None


def _indexes(value: bytes, begin: int) -> tuple[tuple[int, ...], int]:
    """Reads the place of a message type in its file, in Confluent's wire format, and returns it with the offset of
    the message: a count, then so many indexes, as zigzag varints; the count 0 stands for the first type."""
    count, at = _varint(value, begin)
    if not 0 <= count <= _INDEXES_MAX:
        raise _malformed(f"it has {count} indexes of messages")
    found = []
    for _ in range(count):
        index, at = _varint(value, at)
        found.append(index)
    return tuple(found) or (0,), at


def _varint(value: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 35, 7):
        if at >= len(value):
            raise _malformed("it ends too early")
        number |= (value[at] & 0x7F) << shift
        at += 1
        if value[at - 1] < 0x80:
            return number >> 1 ^ -(number & 1), at
    raise _malformed("an index of a message is too large")


def _field(field: FieldDescriptor) -> _Read:
    """Reads a field of a message."""
    name = field.name
    if is_map(field):
        of = _one(field.message_type.fields_by_name["value"])
        key = _key(field.message_type.fields_by_name["key"])
        return lambda message: map_from((key(each), of(value)) for each, value in _entries(getattr(message, name)))
    one = _one(field)
    if field.is_repeated:
        return lambda message: tuple([one(each) for each in getattr(message, name)])
    if field.has_presence:
        return lambda message: one(getattr(message, name)) if message.HasField(name) else None
    return lambda message: one(getattr(message, name))


def _entries(held: Any) -> list[tuple[Any, Any]]:
    # Asking a map of messages for a value by its key may add one.
    return list(held.items())


def _key(field: FieldDescriptor) -> Callable[[Any], str]:
    """Returns a map's key as text, as Protobuf's JSON has it."""
    if field.type == FieldDescriptor.TYPE_BOOL:
        return lambda value: "true" if value else "false"
    return lambda value: parse_text(str(value))


def _one(field: FieldDescriptor) -> _Read:
    """Returns the function that reads one value of a field."""
    if field.message_type is not None:
        members = tuple(map(_field, field.message_type.fields))
        return lambda message: tuple([read(message) for read in members])
    if field.type == FieldDescriptor.TYPE_ENUM:
        names: dict[int, str] = {value.number: value.name for value in field.enum_type.values}

        def label(number: int) -> Datum:
            if number not in names:
                raise _malformed(f"the enum {field.enum_type.full_name} has no value {number}")
            return names[number]

        return label
    text: bool = field.type == FieldDescriptor.TYPE_STRING
    return parse_text if text else _itself


def _itself(value: Any) -> Datum:
    datum: Datum = value
    return datum


def _malformed(why: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_BINARY_REPRESENTATION, f"malformed Protobuf: {why}"[:500])
