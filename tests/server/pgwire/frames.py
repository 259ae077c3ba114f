"""Frontend messages as bytes, and backend bytes as messages: the client's half of the protocol, for tests."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Message = tuple[str, bytes]
"""(type byte, body)."""


def frame(kind: str, body: bytes = b"") -> bytes:
    return kind.encode() + struct.pack(">i", len(body) + 4) + body


def text(value: str) -> bytes:
    return value.encode() + b"\0"


def startup(parameters: Mapping[str, str], version: int = 196608) -> bytes:
    body = struct.pack(">i", version) + b"".join(text(k) + text(v) for k, v in parameters.items()) + b"\0"
    return struct.pack(">i", len(body) + 4) + body


def query(sql: str) -> bytes:
    return frame("Q", text(sql))


def parse(name: str, sql: str, oids: Sequence[int] = ()) -> bytes:
    return frame("P", text(name) + text(sql) + struct.pack(f">h{len(oids)}I", len(oids), *oids))


def bind(
    portal: str,
    statement: str,
    values: Sequence[bytes | None] = (),
    formats: Sequence[int] = (),
    result_formats: Sequence[int] = (),
) -> bytes:
    parts = [text(portal), text(statement), struct.pack(f">h{len(formats)}h", len(formats), *formats)]
    parts.append(struct.pack(">h", len(values)))
    for value in values:
        parts.append(struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value)
    parts.append(struct.pack(f">h{len(result_formats)}h", len(result_formats), *result_formats))
    return frame("B", b"".join(parts))


def describe(kind: str, name: str) -> bytes:
    return frame("D", kind.encode() + text(name))


def close(kind: str, name: str) -> bytes:
    return frame("C", kind.encode() + text(name))


def execute(portal: str, max_rows: int = 0) -> bytes:
    return frame("E", text(portal) + struct.pack(">i", max_rows))


def call(oid: int, values: Sequence[bytes | None], formats: Sequence[int] = (1,), result_format: int = 1) -> bytes:
    parts = [struct.pack(f">Ih{len(formats)}h", oid, len(formats), *formats), struct.pack(">h", len(values))]
    for value in values:
        parts.append(struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value)
    return frame("F", b"".join(parts) + struct.pack(">h", result_format))


SYNC = frame("S")
FLUSH = frame("H")
TERMINATE = frame("X")
COPY_DONE = frame("c")


def messages(data: bytes) -> list[Message]:
    """Backend messages; AssertionError when the bytes aren't a whole number of them."""
    found = []
    position = 0
    while position < len(data):
        assert position + 5 <= len(data), "a message without its head"
        length = struct.unpack_from(">i", data, position + 1)[0]
        assert length >= 4 and position + 1 + length <= len(data), "a message cut short"
        found.append((chr(data[position]), data[position + 5 : position + 1 + length]))
        position += 1 + length
    return found


def kinds(data: bytes) -> str:
    """The type bytes of backend messages, in order."""
    return "".join(kind for kind, _ in messages(data))


def error_fields(body: bytes) -> dict[str, str]:
    """The fields of an ErrorResponse or NoticeResponse."""
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}


def fields(body: bytes) -> list[bytes | None]:
    """The values of a DataRow."""
    count = struct.unpack_from(">H", body)[0]
    values: list[bytes | None] = []
    position = 2
    for _ in range(count):
        length = struct.unpack_from(">i", body, position)[0]
        position += 4
        values.append(None if length < 0 else body[position : position + length])
        position += max(length, 0)
    assert position == len(body)
    return values
