"""Arrays and records in binary format: each element with its length before it, -1 for NULL."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from model.datum import Datum
from model.errors import NotSupported, SqlError
from model.scalar_type import ScalarType, type_from_oid, type_oid, type_text
from model.sqlstate import Sqlstate
from server.pgwire.encoding.failures import bad_binary, short_data

Sender = Callable[[Any], bytes]
Receiver = Callable[[bytes], Datum]

_NULL = b"\xff\xff\xff\xff"
_HEADER = struct.Struct(">iiI")
_DIMENSION = struct.Struct(">ii")
_LENGTH = struct.Struct(">i")
_FIELD = struct.Struct(">Ii")


def _element(item: Datum, send: Sender) -> bytes:
    if item is None:
        return _NULL
    data = send(item)
    return _LENGTH.pack(len(data)) + data


def array_sender(element: ScalarType, send: Sender, lower_bound: int = 1) -> Sender:
    """`lower_bound` 0 is that of int2vector and oidvector, which have a dimension when empty too."""
    oid = type_oid(element)

    def send_array(value: Sequence[Datum]) -> bytes:
        if not value and lower_bound:
            return _HEADER.pack(0, 0, oid)
        header = _HEADER.pack(1, int(None in value), oid) + _DIMENSION.pack(len(value), lower_bound)
        return header + b"".join([_element(item, send) for item in value])

    return send_array


def array_receiver(element: ScalarType, receive: Receiver) -> Receiver:
    """0A000 for several dimensions and lower bounds other than 1 (0 for int2vector and oidvector)."""
    oid = type_oid(element)

    def receive_array(data: bytes) -> tuple[Datum, ...]:
        if len(data) < _HEADER.size:
            raise short_data()
        dimensions, flags, actual = _HEADER.unpack_from(data)
        if dimensions < 0 or dimensions > 6 or flags not in (0, 1):
            raise bad_binary("invalid array header")
        if actual != oid:
            raise _wrong_element(actual, element)
        if dimensions == 0:
            return ()
        if dimensions > 1:
            raise NotSupported("an array of several dimensions")
        if len(data) < _HEADER.size + _DIMENSION.size:
            raise short_data()
        length, lower = _DIMENSION.unpack_from(data, _HEADER.size)
        if length < 0 or length * _LENGTH.size > len(data):
            raise bad_binary("invalid array length")
        if length and lower not in (0, 1):
            raise NotSupported("an array whose lower bound is not 1")
        return _read_elements(data, _HEADER.size + _DIMENSION.size, length, receive)

    return receive_array


def _wrong_element(oid: int, expected: ScalarType) -> SqlError:
    actual = type_from_oid(oid)
    name = type_text(actual) if actual is not None else "unknown"
    return SqlError(
        Sqlstate.DATATYPE_MISMATCH,
        f"binary data has array element type {oid} ({name}) instead of expected "
        f"{type_oid(expected)} ({type_text(expected)})",
    )


def _read_elements(data: bytes, position: int, count: int, receive: Receiver) -> tuple[Datum, ...]:
    items: list[Datum] = []
    for _ in range(count):
        if position + _LENGTH.size > len(data):
            raise short_data()
        length = _LENGTH.unpack_from(data, position)[0]
        position += _LENGTH.size
        if length == -1:
            items.append(None)
            continue
        if length < 0 or position + length > len(data):
            raise short_data()
        items.append(receive(data[position : position + length]))
        position += length
    if position != len(data):
        raise bad_binary("incorrect binary data format")
    return tuple(items)


def record_sender(fields: Sequence[ScalarType], senders: Sequence[Sender]) -> Sender:
    oids = [type_oid(field) for field in fields]

    def send_record(value: Sequence[Datum]) -> bytes:
        parts = [_LENGTH.pack(len(oids))]
        for oid, item, send in zip(oids, value, senders, strict=True):
            if item is None:
                parts.append(_FIELD.pack(oid, -1))
            else:
                data = send(item)
                parts.append(_FIELD.pack(oid, len(data)) + data)
        return b"".join(parts)

    return send_record


def receive_record(data: bytes) -> Datum:
    """Always 0A000, as in PostgreSQL."""
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "input of anonymous composite types is not implemented")
