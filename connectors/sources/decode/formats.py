"""The bytes of a key or a value as datums, format by format. NULL is NULL in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.external.records import RecordFormat
from model.json.json_text import parse_jsonb
from model.types.datum import Datum

Decode = Callable[[bytes], Datum]
"""It raises SqlError."""


def decoder(format_: RecordFormat) -> Decode:
    """Returns the function that decodes one value."""
    match format_:
        case RecordFormat.BYTES:
            return bytes
        case RecordFormat.TEXT:
            return decode_text
        case RecordFormat.JSON:
            return _json
        case _:
            assert_never(format_)


def decode_all(decode: Decode, values: Sequence[bytes | None]) -> tuple[list[Datum], dict[int, SqlError]]:
    """Returns the datums in order, NULL where one can't be decoded; and why not, by position."""
    datums: list[Datum] = []
    errors: dict[int, SqlError] = {}
    for at, value in enumerate(values):
        try:
            datums.append(None if value is None else decode(value))
        except SqlError as error:
            datums.append(None)
            errors[at] = error
    return datums, errors


def decode_text(value: bytes) -> str:
    """Decodes UTF-8 without NUL; raises 22021 for anything else."""
    try:
        text = value.decode()
    except UnicodeDecodeError as error:
        at = value[error.start]
        message = f'invalid byte sequence for encoding "UTF8": 0x{at:02x}'
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message) from None
    if "\0" in text:
        raise SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, 'invalid byte sequence for encoding "UTF8": 0x00')
    return text


def _json(value: bytes) -> str:
    return parse_jsonb(decode_text(value))
