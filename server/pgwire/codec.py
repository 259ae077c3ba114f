"""Decodes frontend messages and encodes backend messages.

A Decoder takes bytes in any pieces. It holds at most one incomplete message, within the limit for its kind; CopyData,
which may be endless, is passed on in the pieces in which it arrives. A frame that can't be right (unknown type,
impossible length) is FATAL, since nothing after it can be read. A wrong body in a right frame is Malformed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NoReturn

from model.errors.sql_error import Severity, SqlError
from model.errors.sqlstate import Sqlstate
from model.text.encodings import ClientEncoding
from server.pgwire.large_values import LARGE_BYTES
from server.pgwire.messages import (
    PROTOCOL_MAJOR,
    Bind,
    CancelRequest,
    Close,
    CopyData,
    CopyDone,
    CopyFail,
    Describe,
    Execute,
    Flush,
    FrontendMessage,
    FunctionCall,
    GssEncryptionRequest,
    Malformed,
    Parse,
    PasswordMessage,
    QueryMessage,
    SslRequest,
    StartupMessage,
    Sync,
    Terminate,
)

MESSAGE_BYTES_MAX = (1 << 30) - 1
STARTUP_BYTES_MAX = 10_000
_SMALL_BYTES_MAX = 10_000
_PASSWORD_BYTES_MAX = 65_535
_CANCEL_CODE = 80877102
_SSL_CODE = 80877103
_GSS_CODE = 80877104
_KEEP_BYTES = 1 << 16

_INT16 = struct.Struct(">h")
_INT32 = struct.Struct(">i")
_UINT32 = struct.Struct(">I")
_KEY = struct.Struct(">II")


def fatal(
    message: str,
    sqlstate: Sqlstate = Sqlstate.PROTOCOL_VIOLATION,
    *,
    detail: str | None = None,
    hint: str | None = None,
) -> SqlError:
    """Returns an error after which the connection is closed."""
    return SqlError(sqlstate, message, severity=Severity.FATAL, detail=detail, hint=hint)


class _Body:
    """Reads a message's body from left to right; raises SqlError 08P01 when it ends early, 22021 for text that isn't
    UTF-8."""

    __slots__ = ("_encoding", "data", "position")

    def __init__(self, data: bytes, encoding: ClientEncoding | None = None) -> None:
        self.data = data
        self.position = 0
        self._encoding = encoding

    def int16(self) -> int:
        self._need(2)
        value: int = _INT16.unpack_from(self.data, self.position)[0]
        self.position += 2
        return value

    def int32(self) -> int:
        self._need(4)
        value: int = _INT32.unpack_from(self.data, self.position)[0]
        self.position += 4
        return value

    def uint32(self) -> int:
        return self.int32() & 0xFFFFFFFF

    def uint32s(self, count: int) -> tuple[int, ...]:
        """Reads numbers all at once, since a statement may have 65,535 parameters."""
        self._need(4 * count)
        self.position += 4 * count
        return struct.unpack_from(f"!{count}I", self.data, self.position - 4 * count)

    def kind(self) -> str:
        """Reads the one-byte kind of Describe and Close."""
        self._need(1)
        self.position += 1
        return chr(self.data[self.position - 1])

    def string(self) -> str:
        end = self.data.find(b"\0", self.position)
        if end < 0:
            raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "invalid string in message")
        raw = self.data[self.position : end]
        self.position = end + 1
        return decode_utf8(raw) if self._encoding is None else self._encoding.decode(raw)

    def parameters(self) -> tuple[bytes | None, ...]:
        """Reads a count, then each value after its length (-1: NULL), in one loop for up to 65,535 values."""
        found: list[bytes | None] = []
        count, data, position, end = self.count(4), self.data, self.position, len(self.data)
        for _ in range(count):
            if end - position < 4:
                raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")
            (length,) = _INT32.unpack_from(data, position)
            position += 4
            if length == -1:
                found.append(None)
                continue
            if length < 0:
                raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "invalid argument size in message")
            if end - position < length:
                raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")
            found.append(data[position : position + length])
            position += length
        self.position = position
        return tuple(found)

    def formats(self) -> tuple[int, ...]:
        """Returns a count of format codes, and the codes."""
        count = self.count(2)
        codes: tuple[int, ...] = struct.unpack_from(f"!{count}h", self.data, self.position)
        self.position += 2 * count
        return codes

    def count(self, width: int) -> int:
        """Returns a 16-bit count of things at least `width` bytes wide, all of which must fit in the body."""
        count = self.int16() & 0xFFFF
        self._need(count * width)
        return count

    def finish(self) -> None:
        if self.position != len(self.data):
            raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "invalid message format")

    def _need(self, length: int) -> None:
        if len(self.data) - self.position < length:
            raise SqlError(Sqlstate.PROTOCOL_VIOLATION, "insufficient data left in message")


def decode_utf8(raw: bytes) -> str:
    """Decodes UTF-8; raises SqlError 22021 with the wrong bytes, as PostgreSQL shows them."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        shown = " ".join(
            f"0x{byte:02x}" for byte in raw[error.start : error.start + _sequence_length(raw[error.start])]
        )
        message = f'invalid byte sequence for encoding "UTF8": {shown}'
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message) from None


def _sequence_length(first: int) -> int:
    """Returns the length of a character that begins with a byte."""
    return 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4 if first < 0xF8 else 1


def _parse(body: _Body) -> Parse:
    name, sql = body.string(), body.string()
    return Parse(name, sql, body.uint32s(body.count(4)))


def _bind(body: _Body) -> Bind:
    portal, statement = body.string(), body.string()
    parameter_formats = body.formats()
    parameters = body.parameters()
    result_formats = body.formats()
    for code in {*parameter_formats, *result_formats} - {0, 1}:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"unsupported format code: {code}")
    return Bind(portal, statement, parameter_formats, parameters, result_formats)


def _kind_and_name(body: _Body, what: str) -> tuple[str, str]:
    kind, name = body.kind(), body.string()
    if kind not in "SP":
        raise SqlError(Sqlstate.PROTOCOL_VIOLATION, f"invalid {what} message subtype {ord(kind)}")
    return kind, name


def _function_call(body: _Body) -> FunctionCall:
    oid, argument_formats, arguments = body.uint32(), body.formats(), body.parameters()
    result_format = body.int16()
    for code in {*argument_formats, result_format} - {0, 1}:
        raise SqlError(Sqlstate.INVALID_PARAMETER_VALUE, f"unsupported format code: {code}")
    if len(argument_formats) > 1 and len(argument_formats) != len(arguments):
        raise SqlError(
            Sqlstate.PROTOCOL_VIOLATION,
            f"function call message contains {len(argument_formats)} argument formats but {len(arguments)} arguments",
        )
    return FunctionCall(oid, argument_formats, arguments, result_format)


_EXTENDED = frozenset(b"PBDECHS")
_READERS: dict[int, Callable[[_Body], FrontendMessage]] = {
    ord("Q"): lambda body: QueryMessage(body.string()),
    ord("P"): _parse,
    ord("B"): _bind,
    ord("D"): lambda body: Describe(*_kind_and_name(body, "DESCRIBE")),
    ord("E"): lambda body: Execute(body.string(), max(body.int32(), 0)),
    ord("C"): lambda body: Close(*_kind_and_name(body, "CLOSE")),
    ord("H"): lambda body: Flush(),
    ord("S"): lambda body: Sync(),
    ord("X"): lambda body: Terminate(),
    ord("F"): _function_call,
    ord("c"): lambda body: CopyDone(),
    ord("f"): lambda body: CopyFail(body.string()),
}
_COPY_DATA = ord("d")
_PASSWORD = ord("p")
_LARGE = frozenset(b"QPBFdf")


class Decoder:
    """Decodes messages: `next` returns complete ones, start-up packets at first, until `started` is set. `encoding` is
    the client's, None for UTF8."""

    def __init__(self, message_bytes_max: int = MESSAGE_BYTES_MAX) -> None:
        self.started = False
        self.encoding: ClientEncoding | None = None
        self._message_bytes_max = message_bytes_max
        self._buffer = bytearray()
        self._position = 0
        self._copy_remaining = 0

    @property
    def buffered_bytes(self) -> int:
        return len(self._buffer) - self._position

    @property
    def next_kind(self) -> bytes:
        """The first byte of the next message; nothing before it has come."""
        return bytes(self._buffer[self._position : self._position + 1])

    @property
    def expecting_more(self) -> bool:
        """Tells whether an incomplete message is held."""
        return self._copy_remaining > 0 or self.buffered_bytes > 0

    @property
    def large_is_next(self) -> bool:
        """Tells if the next message is complete, and large enough to delay other clients while being read."""
        available = self.buffered_bytes
        if available < LARGE_BYTES or self._copy_remaining or not self.started:
            return False
        length: int = _INT32.unpack_from(self._buffer, self._position + 1)[0]
        return self._buffer[self._position] != _COPY_DATA and LARGE_BYTES <= length < available

    def feed(self, data: bytes) -> None:
        if self._position == len(self._buffer):
            self._buffer = bytearray(data)
            self._position = 0
            return
        if self._position > _KEEP_BYTES:
            del self._buffer[: self._position]
            self._position = 0
        self._buffer += data

    def clear(self) -> None:
        """Drops the bytes received: no message will be asked for any more."""
        self._buffer = bytearray()
        self._position = 0

    def next(self) -> FrontendMessage | None:
        """Returns the next message, None when more bytes are needed. SqlError FATAL: nothing more may be asked."""
        if self._copy_remaining:
            return self._copy_piece()
        if not self.started:
            return self._startup()
        available = len(self._buffer) - self._position
        if available < 5:
            if available:
                self._check_type(self._buffer[self._position])
            return None
        kind = self._buffer[self._position]
        self._check_type(kind)
        length: int = _INT32.unpack_from(self._buffer, self._position + 1)[0]
        self._check_length(kind, length)
        if kind == _COPY_DATA:
            self._position += 5
            self._copy_remaining = length - 4
            return self._copy_piece() if self._copy_remaining else CopyData(b"")
        if available < length + 1:
            return None
        start = self._position + 5
        self._position += length + 1
        body = bytes(memoryview(self._buffer)[start : self._position])
        if self._position == len(self._buffer):
            self._buffer = bytearray()
            self._position = 0
        return self._read(kind, body)

    def _check_type(self, kind: int) -> None:
        if kind not in _READERS and kind not in (_COPY_DATA, _PASSWORD):
            raise fatal(f"invalid frontend message type {kind}")

    def _check_length(self, kind: int, length: int) -> None:
        small = _PASSWORD_BYTES_MAX if kind == _PASSWORD else _SMALL_BYTES_MAX
        limit = self._message_bytes_max if kind in _LARGE else min(small, self._message_bytes_max)
        if kind == _COPY_DATA:
            limit = 0x7FFFFFFF
        if not 4 <= length <= limit:
            raise fatal("invalid message length")

    def _read(self, kind: int, data: bytes) -> FrontendMessage:
        if kind == _PASSWORD:
            return PasswordMessage(data)
        body = _Body(data, self.encoding)
        try:
            message = _READERS[kind](body)
            body.finish()
        except SqlError as error:
            return Malformed(error, kind in _EXTENDED)
        return message

    def _copy_piece(self) -> CopyData | None:
        available = len(self._buffer) - self._position
        if not available:
            return None
        size = min(available, self._copy_remaining)
        data = bytes(memoryview(self._buffer)[self._position : self._position + size])
        self._position += size
        self._copy_remaining -= size
        return CopyData(data)

    def _startup(self) -> FrontendMessage | None:
        available = len(self._buffer) - self._position
        if available < 4:
            return None
        length: int = _INT32.unpack_from(self._buffer, self._position)[0]
        if not 8 <= length <= STARTUP_BYTES_MAX:
            raise fatal("invalid length of startup packet")
        if available < length:
            return None
        packet = bytes(self._buffer[self._position + 4 : self._position + length])
        self._position += length
        return _read_startup(packet)


def _read_startup(packet: bytes) -> FrontendMessage:
    code: int = _UINT32.unpack_from(packet)[0]
    if code == _CANCEL_CODE:
        if len(packet) != 12:
            raise fatal("invalid length of cancel request packet")
        pid, secret = _KEY.unpack_from(packet, 4)
        return CancelRequest(pid, secret)
    if code == _SSL_CODE:
        return SslRequest()
    if code == _GSS_CODE:
        return GssEncryptionRequest()
    if code >> 16 != PROTOCOL_MAJOR:
        unsupported_version(code)
    return StartupMessage(code & 0xFFFF, _startup_parameters(packet[4:]))


def unsupported_version(code: int) -> NoReturn:
    raise fatal(
        f"unsupported frontend protocol {code >> 16}.{code & 0xFFFF}: server supports 3.0 to 3.0",
        Sqlstate.FEATURE_NOT_SUPPORTED,
    )


def _startup_parameters(body: bytes) -> dict[str, str]:
    """Reads pairs of strings, then one zero byte, which must be the last."""
    if not body.endswith(b"\0"):
        raise fatal("invalid startup packet layout: expected terminator as last byte")
    parts = body[:-1].split(b"\0")
    if parts and parts[-1] == b"":
        parts.pop()
    if len(parts) % 2:
        raise fatal("invalid startup packet layout: expected terminator as last byte")
    try:
        texts = [decode_utf8(part) for part in parts]
    except SqlError as error:
        raise fatal(error.message, error.sqlstate) from None
    if "" in texts[::2]:
        # The empty name ends the pairs.
        raise fatal("invalid startup packet layout: expected terminator as last byte")
    return dict(zip(texts[::2], texts[1::2], strict=True))
