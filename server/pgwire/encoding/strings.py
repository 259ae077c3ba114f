"""Strings, bytes, bits, uuids and JSON in binary format."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.json.json_text import parse_json, parse_jsonb
from model.text.jsonpaths.jsonpath_output import parse_jsonpath
from model.text.strings import bpchar_formatter, parse_name
from server.pgwire.codec import decode_utf8
from server.pgwire.encoding.failures import bad_binary, check_width, short_data

_BIT_COUNT = struct.Struct(">i")
_JSONB_VERSION = b"\1"
"""jsonpath begins with the same."""


def send_text(value: str) -> bytes:
    return value.encode()


def receive_text(data: bytes) -> str:
    if b"\0" in data:
        message = 'invalid byte sequence for encoding "UTF8": 0x00'
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message)
    return decode_utf8(data)


def bpchar_sender(length: int | None) -> Callable[[str], bytes]:
    pad = bpchar_formatter(length)
    return lambda value: pad(value).encode()


def receive_name(data: bytes) -> str:
    return parse_name(receive_text(data))


def send_char(value: str) -> bytes:
    return value.encode("latin-1") or b"\0"


def receive_char(data: bytes) -> str:
    check_width(data, 1)
    return "" if data == b"\0" else data.decode("latin-1")


def send_bits(value: str) -> bytes:
    """Encodes bits: their number, then the bits, with zeros to fill the last byte."""
    length = -(-len(value) // 8)
    number = int(value.ljust(8 * length, "0") or "0", 2)
    return _BIT_COUNT.pack(len(value)) + number.to_bytes(length, "big")


def receive_bits(data: bytes) -> str:
    if len(data) < _BIT_COUNT.size:
        raise short_data()
    count = _BIT_COUNT.unpack_from(data)[0]
    if count < 0:
        raise bad_binary("invalid length in external bit string")
    length = -(-count // 8)
    check_width(data[_BIT_COUNT.size :], length)
    return f"{int.from_bytes(data[_BIT_COUNT.size :], 'big'):0{8 * length}b}"[:count] if count else ""


def send_uuid(value: uuid.UUID) -> bytes:
    return value.bytes


def receive_uuid(data: bytes) -> uuid.UUID:
    check_width(data, 16)
    return uuid.UUID(bytes=data)


def receive_json(data: bytes) -> str:
    return parse_json(receive_text(data))


def receive_jsonpath(data: bytes) -> str:
    if data[:1] != _JSONB_VERSION:
        raise bad_binary(f"unsupported jsonpath version number: {data[0] if data else 0}")
    return parse_jsonpath(receive_text(data[1:]))


def send_jsonb(value: str) -> bytes:
    return _JSONB_VERSION + value.encode()


def receive_jsonb(data: bytes) -> str:
    if data[:1] != _JSONB_VERSION:
        raise bad_binary(f"unsupported jsonb version number {data[0] if data else 0}")
    return parse_jsonb(receive_text(data[1:]))
