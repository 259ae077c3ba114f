"""Arrays and records in binary format: each element with its length before it, -1 for NULL."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.types.arrays import Array, check_depth, dimensions_of, items_of, shaped
from model.types.datum import Datum
from model.types.scalar_type import ScalarType, declared_oid, type_from_oid, type_text
from server.pgwire.encoding.failures import bad_binary, short_data

Sender = Callable[[Any], bytes]
Receiver = Callable[[bytes], Datum]

_NULL = b"\xff\xff\xff\xff"
_HEADER = struct.Struct(">iiI")
_DIMENSION = struct.Struct(">ii")
_LENGTH = struct.Struct(">i")
_FIELD = struct.Struct(">Ii")


def measured(item: Datum, send: Sender) -> bytes:
    """Returns an element with its length before it; -1 alone for NULL."""
    if item is None:
        return _NULL
    data = send(item)
    return _LENGTH.pack(len(data)) + data


def array_sender(element: ScalarType, send: Sender, lower_bound: int = 1) -> Sender:
    """Returns the sender of arrays. `lower_bound` 0 is for int2vector and oidvector, which have a dimension even
    when empty."""
    oid = declared_oid(element)

    def send_array(value: Array) -> bytes:
        items, dimensions = items_of(value), dimensions_of(value, lower_bound)
        if not items and not lower_bound:
            dimensions = ((0, 0),)
        header = _HEADER.pack(len(dimensions), int(None in items), oid)
        shape = b"".join([_DIMENSION.pack(length, lower) for lower, length in dimensions])
        return header + shape + b"".join([measured(item, send) for item in items])

    return send_array


def array_receiver(element: ScalarType, receive: Receiver, lower_bound: int = 1) -> Receiver:
    """Returns a receiver of arrays; `lower_bound` as for the sender: of a vector the datum is a tuple."""
    oid = declared_oid(element)

    def receive_array(data: bytes) -> Array:
        if len(data) < _HEADER.size:
            raise short_data()
        dimensions, flags, actual = _HEADER.unpack_from(data)
        check_depth(dimensions)
        if dimensions < 0:
            raise bad_binary(f"invalid number of dimensions: {dimensions}")
        if flags not in (0, 1):
            raise bad_binary(f"invalid array flags: {flags}")
        if actual != oid:
            raise _wrong_element(actual, element)
        if dimensions == 0:
            return ()
        start = _HEADER.size + dimensions * _DIMENSION.size
        if len(data) < start:
            raise short_data()
        shape = tuple((lower, length) for length, lower in _DIMENSION.iter_unpack(data[_HEADER.size : start]))
        count = prod(length for _, length in shape)
        if any(length < 0 for _, length in shape) or count * _LENGTH.size > len(data):
            raise bad_binary("invalid array length")
        items = read_elements(data, start, count, receive)
        return items if not lower_bound else shaped(items, shape)

    return receive_array


def _wrong_element(oid: int, expected: ScalarType) -> SqlError:
    actual = type_from_oid(oid)
    name = type_text(actual) if actual is not None else "unknown"
    return SqlError(
        Sqlstate.DATATYPE_MISMATCH,
        f"binary data has array element type {oid} ({name}) instead of expected "
        f"{declared_oid(expected)} ({type_text(expected)})",
    )


def read_elements(data: bytes, position: int, count: int, receive: Receiver) -> tuple[Datum, ...]:
    """Reads all elements from `position` to the end; raises 08P01 when there are fewer than `count`, 22P03 for more
    bytes."""
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
    oids = [declared_oid(field) for field in fields]

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


def composite_receiver(fields: Sequence[ScalarType], receivers: Sequence[Receiver]) -> Receiver:
    """Returns the receiver of records, which raises 42804 for another number of fields, or other types."""
    oids = [declared_oid(field) for field in fields]

    def receive_composite(data: bytes) -> tuple[Datum, ...]:
        if len(data) < _LENGTH.size:
            raise short_data()
        count = _LENGTH.unpack_from(data)[0]
        if count != len(oids):
            message = f"wrong number of columns: {count}, expected {len(oids)}"
            raise SqlError(Sqlstate.DATATYPE_MISMATCH, message)
        values: list[Datum] = []
        at = _LENGTH.size
        for number, (oid, field, receive) in enumerate(zip(oids, fields, receivers, strict=True), start=1):
            if at + _FIELD.size > len(data):
                raise short_data()
            actual, length = _FIELD.unpack_from(data, at)
            at += _FIELD.size
            if actual != oid:
                raise _wrong_field(actual, field, number)
            if length == -1:
                values.append(None)
                continue
            if length < 0 or at + length > len(data):
                raise short_data()
            values.append(receive(data[at : at + length]))
            at += length
        if at != len(data):
            raise bad_binary("incorrect binary data format")
        return tuple(values)

    return receive_composite


def _wrong_field(oid: int, expected: ScalarType, number: int) -> SqlError:
    actual = type_from_oid(oid)
    name = type_text(actual) if actual is not None else "unknown"
    return SqlError(
        Sqlstate.DATATYPE_MISMATCH,
        f"binary data has type {oid} ({name}) instead of expected {declared_oid(expected)} ({type_text(expected)})"
        f" in record column {number}",
    )


def receive_record(data: bytes) -> Datum:
    """Raises 0A000 always, as in PostgreSQL."""
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "input of anonymous composite types is not implemented")
