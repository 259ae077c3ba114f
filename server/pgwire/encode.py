"""Backend messages to bytes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from model.errors.sql_error import ErrorSubject, SqlError
from model.text.encodings import ClientEncoding
from server.pgwire.messages import (
    PROTOCOL_MAJOR,
    AuthenticationOk,
    AuthenticationSasl,
    AuthenticationSaslContinue,
    AuthenticationSaslFinal,
    BackendKeyData,
    BackendMessage,
    BindComplete,
    CloseComplete,
    CommandComplete,
    CopyData,
    CopyDone,
    CopyInResponse,
    CopyOutResponse,
    DataRows,
    EmptyQueryResponse,
    EncryptionAccepted,
    EncryptionRefused,
    ErrorResponse,
    FunctionCallResponse,
    NegotiateProtocolVersion,
    NoData,
    NoticeResponse,
    NotificationResponse,
    ParameterDescription,
    ParameterStatus,
    ParseComplete,
    PortalSuspended,
    ReadyForQuery,
    RowDescription,
)

_HEADER = struct.Struct(">ci")
_FIELD_TAIL = struct.Struct(">IhIhih")
_AUTHENTICATION_SASL, _AUTHENTICATION_CONTINUE, _AUTHENTICATION_FINAL = 10, 11, 12


def _frame(kind: bytes, body: bytes = b"") -> bytes:
    return _HEADER.pack(kind, len(body) + 4) + body


def _text(value: str) -> bytes:
    """Returns a C string: a zero byte inside would end it early, and lone surrogates have no UTF-8."""
    return value.encode(errors="replace").replace(b"\0", b"") + b"\0"


def _int16(value: int) -> bytes:
    return value.to_bytes(2, "big", signed=True)


def _int32(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)


def _authentication(code: int, data: bytes) -> bytes:
    return _frame(b"R", _int32(code) + data)


def _negotiate(message: NegotiateProtocolVersion) -> bytes:
    names = b"".join(map(_text, message.unknown_options))
    version = PROTOCOL_MAJOR << 16 | message.minor_version
    return _frame(b"v", _int32(version) + _int32(len(message.unknown_options)) + names)


def _row_description(message: RowDescription) -> bytes:
    parts = [_int16(len(message.fields))]
    for field in message.fields:
        parts.append(_text(field.name))
        parts.append(
            _FIELD_TAIL.pack(
                field.table_oid, field.attribute, field.type_oid, field.type_size, field.type_modifier, field.format
            )
        )
    return _frame(b"T", b"".join(parts))


def _parameter_description(message: ParameterDescription) -> bytes:
    oids = message.type_oids
    return _frame(b"t", struct.pack(f">H{len(oids)}I", len(oids), *oids))


def _copy_response(kind: bytes, format_: int, columns: int) -> bytes:
    return _frame(kind, struct.pack(f">bH{columns}h", format_, columns, *([format_] * columns)))


def _fields(pairs: dict[str, str | None]) -> bytes:
    return b"".join(code.encode() + _text(value) for code, value in pairs.items() if value is not None) + b"\0"


def _error_fields(error: SqlError) -> bytes:
    subject, source = error.subject or ErrorSubject(), error.source
    return _fields(
        {
            "S": error.severity.value,
            "V": error.severity.value,
            "C": error.sqlstate.value,
            "M": error.message,
            "D": error.detail,
            "H": error.hint,
            "P": None if error.position is None else str(error.position),
            "W": error.context,
            "s": subject.schema,
            "t": subject.table,
            "c": subject.column,
            "d": subject.datatype,
            "n": subject.constraint,
            "F": None if source is None else source.file,
            "L": None if source is None else str(source.line),
            "R": None if source is None else source.routine,
        }
    )


def _notice_fields(notice: NoticeResponse) -> bytes:
    return _fields(
        {
            "S": notice.severity.value,
            "V": notice.severity.value,
            "C": notice.sqlstate,
            "M": notice.message,
            "D": notice.detail,
            "H": notice.hint,
            "P": None if notice.position is None else str(notice.position),
        }
    )


_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    EncryptionAccepted: lambda m: b"S",
    EncryptionRefused: lambda m: b"N",
    AuthenticationOk: lambda m: _authentication(0, b""),
    AuthenticationSasl: lambda m: _authentication(_AUTHENTICATION_SASL, b"".join(map(_text, m.mechanisms)) + b"\0"),
    AuthenticationSaslContinue: lambda m: _authentication(_AUTHENTICATION_CONTINUE, m.data),
    AuthenticationSaslFinal: lambda m: _authentication(_AUTHENTICATION_FINAL, m.data),
    NegotiateProtocolVersion: _negotiate,
    BackendKeyData: lambda m: _frame(b"K", struct.pack(">II", m.pid, m.secret)),
    ParameterStatus: lambda m: _frame(b"S", _text(m.name) + _text(m.value)),
    ReadyForQuery: lambda m: b"Z\0\0\0\5" + m.status.encode(),
    RowDescription: _row_description,
    ParameterDescription: _parameter_description,
    DataRows: lambda m: m.encoded,
    CommandComplete: lambda m: _frame(b"C", _text(m.tag)),
    EmptyQueryResponse: lambda m: b"I\0\0\0\4",
    PortalSuspended: lambda m: b"s\0\0\0\4",
    FunctionCallResponse: lambda m: _frame(
        b"V", b"\xff\xff\xff\xff" if m.value is None else struct.pack(">i", len(m.value)) + m.value
    ),
    ParseComplete: lambda m: b"1\0\0\0\4",
    BindComplete: lambda m: b"2\0\0\0\4",
    CloseComplete: lambda m: b"3\0\0\0\4",
    NoData: lambda m: b"n\0\0\0\4",
    CopyInResponse: lambda m: _copy_response(b"G", m.format, m.columns),
    CopyOutResponse: lambda m: _copy_response(b"H", m.format, m.columns),
    CopyData: lambda m: _frame(b"d", m.data),
    CopyDone: lambda m: b"c\0\0\0\4",
    ErrorResponse: lambda m: _frame(b"E", _error_fields(m.error)),
    NoticeResponse: lambda m: _frame(b"N", _notice_fields(m)),
    NotificationResponse: lambda m: _frame(b"A", struct.pack(">I", m.pid) + _text(m.channel) + _text(m.payload)),
}


def encode(message: BackendMessage, encoding: ClientEncoding | None = None) -> bytes:
    """Encodes one message (or many, for DataRows); its texts in the client's encoding, where that is not UTF8."""
    encoded = _ENCODERS[type(message)](message)
    return encoded if encoding is None or type(message) not in _TOLD else _told(encoded, encoding)


def described(encoded: bytes, encoding: ClientEncoding | None) -> bytes:
    """Returns a RowDescription with the names of columns in the client's encoding. Raises SqlError 22P05."""
    if encoding is None or encoded.isascii():
        return encoded
    parts, position = [encoded[5:7]], 7
    while position < len(encoded):
        end = encoded.index(b"\0", position)
        parts.append(encoding.from_utf8(encoded[position:end]))
        position = end + 1 + _FIELD_TAIL.size
        parts.append(encoded[end:position])
    return _frame(b"T", b"".join(parts))


_TOLD = frozenset((ErrorResponse, NoticeResponse, ParameterStatus, NotificationResponse))
"""Messages of texts."""
_NOTIFIED = b"A"
_TEXTS_BEGIN = 5


def _told(encoded: bytes, encoding: ClientEncoding) -> bytes:
    """Returns a message of texts in the client's encoding; a text that the encoding lacks must not keep it back."""
    if encoded.isascii():
        return encoded
    # A notification has a pid before its texts.
    begin = _TEXTS_BEGIN + (4 if encoded[:1] == _NOTIFIED else 0)
    return _frame(encoded[:1], encoded[_TEXTS_BEGIN:begin] + encoding.told(encoded[begin:].decode()))
