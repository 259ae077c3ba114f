"""bytea: lengths, pieces, bits; encodings and digests, of text too."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.bytea import parse_bytea
from model.types.scalar_type import BYTEA, INT4, INT8, NAME, TEXT
from planner.functions.failures import invalid_parameter
from planner.functions.rows import function, operator
from planner.functions.signature import Function
from planner.functions.text.characters import overlay, substring

_LINE = 76
_SPACES = re.compile(rb"[ \t\n\r]+")
_CODECS = {
    "utf8": "utf-8",
    "unicode": "utf-8",
    "sqlascii": "utf-8",
    "latin1": "latin-1",
    "iso88591": "latin-1",
    "latin2": "iso8859-2",
    "iso88592": "iso8859-2",
    "latin9": "iso8859-15",
    "iso885915": "iso8859-15",
    "win1251": "cp1251",
    "win1252": "cp1252",
    "koi8r": "koi8-r",
    "koi8": "koi8-r",
}
_ENCODINGS = {
    "utf-8": "UTF8",
    "latin-1": "LATIN1",
    "iso8859-2": "LATIN2",
    "iso8859-15": "LATIN9",
    "cp1251": "WIN1251",
    "cp1252": "WIN1252",
    "koi8-r": "KOI8R",
}
"""Of single-byte encodings those whose characters Python maps as PostgreSQL does."""


def _to_base64(value: bytes) -> str:
    """Lines of 76 characters."""
    text = base64.b64encode(value).decode()
    return "\n".join(text[start : start + _LINE] for start in range(0, len(text), _LINE))


def _from_base64(text: str) -> bytes:
    raw = _SPACES.sub(b"", text.encode())
    for byte in raw:
        if not (chr(byte).isalnum() and byte < 0x80) and chr(byte) not in "+/=":
            raise invalid_parameter(f'invalid symbol "{chr(byte)}" found while decoding base64 sequence')
    try:
        return base64.b64decode(raw, validate=True)
    except binascii.Error:
        raise invalid_parameter(
            "invalid base64 end sequence",
            hint="Input data is missing padding, is truncated, or is otherwise corrupted.",
        ) from None


def _from_hexadecimal(text: str) -> bytes:
    return parse_bytea("\\x" + text)


def _to_escape(value: bytes) -> str:
    """Encodes in encode's escape form: zero bytes and those with the high bit in octal, the rest as they are."""
    return "".join("\\\\" if byte == 0x5C else chr(byte) if 0 < byte < 0x80 else f"\\{byte:03o}" for byte in value)


def _from_escape(text: str) -> bytes:
    if text.startswith("\\x"):
        raise SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, "invalid input syntax for type bytea")
    return parse_bytea(text)


_ENCODERS: dict[str, Callable[[bytes], str]] = {
    "hex": bytes.hex,
    "base64": _to_base64,
    "escape": _to_escape,
}
_DECODERS: dict[str, Callable[[str], bytes]] = {
    "hex": _from_hexadecimal,
    "base64": _from_base64,
    "escape": _from_escape,
}


def encode(value: bytes, form: str) -> str:
    """Encodes bytes as text in a form like "hex"; raises 22023 for an unknown form."""
    if form.lower() not in _ENCODERS:
        raise invalid_parameter(f'unrecognized encoding: "{form}"')
    return _ENCODERS[form.lower()](value)


def decode(text: str, form: str) -> bytes:
    """Decodes text in a form like "hex"; raises 22023 for an unknown form, 22P02 or 22023 for text that the form does
    not allow."""
    if form.lower() not in _DECODERS:
        raise invalid_parameter(f'unrecognized encoding: "{form}"')
    return _DECODERS[form.lower()](text)


def _index_error(index: int, end: int) -> SqlError:
    return SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, f"index {index} out of valid range, 0..{end}")


def get_byte(value: bytes, index: int) -> int:
    if not 0 <= index < len(value):
        raise _index_error(index, len(value) - 1)
    return value[index]


def set_byte(value: bytes, index: int, byte: int) -> bytes:
    if not 0 <= index < len(value):
        raise _index_error(index, len(value) - 1)
    return value[:index] + bytes([byte & 0xFF]) + value[index + 1 :]


def get_bit(value: bytes, index: int) -> int:
    """Reads a bit; the least significant bit of a byte goes first."""
    if not 0 <= index < 8 * len(value):
        raise _index_error(index, 8 * len(value) - 1)
    return value[index // 8] >> index % 8 & 1


def set_bit(value: bytes, index: int, bit: int) -> bytes:
    if not 0 <= index < 8 * len(value):
        raise _index_error(index, 8 * len(value) - 1)
    if bit not in (0, 1):
        raise invalid_parameter("new bit must be 0 or 1")
    byte = value[index // 8] & ~(1 << index % 8) | bit << index % 8
    return set_byte(value, index // 8, byte)


def _trim_both(value: bytes, characters: bytes) -> bytes:
    return value.strip(characters) if characters else value


def _trim_left(value: bytes, characters: bytes) -> bytes:
    return value.lstrip(characters) if characters else value


def _trim_right(value: bytes, characters: bytes) -> bytes:
    return value.rstrip(characters) if characters else value


def _codec(encoding: str, role: str) -> str:
    """Returns Python's name of an encoding; raises 22023 for one that isn't known. `role` is "source" or
    "destination"."""
    codec = _CODECS.get(re.sub(r"[^a-z0-9]", "", encoding.lower()))
    if codec is None:
        raise invalid_parameter(f'invalid {role} encoding name "{encoding}"')
    return codec


def convert_from(value: bytes, encoding: str) -> str:
    """Decodes bytes in an encoding; raises 22021 when they aren't text, or hold the zero byte, which no text does."""
    codec = _codec(encoding, "source")
    try:
        text = value.decode(codec)
    except UnicodeDecodeError as error:
        raise _not_encoded(value[error.start], codec) from None
    if "\0" in text:
        raise _not_encoded(0, codec)
    return text


def _not_encoded(byte: int, codec: str) -> SqlError:
    message = f'invalid byte sequence for encoding "{_ENCODINGS[codec]}": 0x{byte:02x}'
    return SqlError(Sqlstate.CHARACTER_NOT_IN_REPERTOIRE, message)


def convert_to(text: str, encoding: str) -> bytes:
    """Encodes a text; raises 22P05 for a character that the encoding lacks."""
    codec = _codec(encoding, "destination")
    try:
        return text.encode(codec)
    except UnicodeEncodeError as error:
        sequence = " ".join(f"0x{byte:02x}" for byte in text[error.start].encode())
        raise SqlError(
            Sqlstate.UNTRANSLATABLE_CHARACTER,
            f'character with byte sequence {sequence} in encoding "UTF8" has no equivalent in encoding '
            f'"{_ENCODINGS[codec]}"',
        ) from None


def convert(value: bytes, source: str, destination: str) -> bytes:
    """Returns the bytes of a text in one encoding as the bytes in another."""
    _codec(source, "source"), _codec(destination, "destination")
    return convert_to(convert_from(value, source), destination)


def _of_text(digest: Callable[[bytes], str]) -> Callable[[str], str]:
    return lambda text: digest(text.encode())


def _md5(value: bytes) -> str:
    return hashlib.md5(value, usedforsecurity=False).hexdigest()


_B, _BI = (BYTEA,), (BYTEA, INT4)

FUNCTIONS: tuple[Function, ...] = (
    operator("||", "concat", (BYTEA, BYTEA), BYTEA, lambda a, b: a + b),
    function("length", _B, INT4, len),
    function("length", (BYTEA, TEXT), INT4, lambda value, encoding: len(convert_from(value, encoding)), fallible=True),
    function("octet_length", _B, INT4, len),
    function("bit_length", _B, INT4, lambda value: 8 * len(value)),
    function("bit_count", _B, INT8, lambda value: int.from_bytes(value, "big").bit_count()),
    *(function(name, _BI, BYTEA, substring) for name in ("substr", "substring")),
    *(function(name, (BYTEA, INT4, INT4), BYTEA, substring, fallible=True) for name in ("substr", "substring")),
    function("position", (BYTEA, BYTEA), INT4, lambda value, part: value.find(part) + 1),
    function("overlay", (BYTEA, BYTEA, INT4), BYTEA, overlay, fallible=True),
    function("overlay", (BYTEA, BYTEA, INT4, INT4), BYTEA, overlay, fallible=True),
    function("btrim", (BYTEA, BYTEA), BYTEA, _trim_both),
    function("ltrim", (BYTEA, BYTEA), BYTEA, _trim_left),
    function("rtrim", (BYTEA, BYTEA), BYTEA, _trim_right),
    function("get_byte", _BI, INT4, get_byte, fallible=True),
    function("set_byte", (BYTEA, INT4, INT4), BYTEA, set_byte, fallible=True),
    function("get_bit", (BYTEA, INT8), INT4, get_bit, fallible=True),
    function("set_bit", (BYTEA, INT8, INT4), BYTEA, set_bit, fallible=True),
    function("encode", (BYTEA, TEXT), TEXT, encode, fallible=True),
    function("decode", (TEXT, TEXT), BYTEA, decode, fallible=True),
    function("convert_from", (BYTEA, TEXT), TEXT, convert_from, fallible=True),
    function("convert_to", (TEXT, TEXT), BYTEA, convert_to, fallible=True),
    function("convert", (BYTEA, NAME, NAME), BYTEA, convert, fallible=True),
    function("md5", (TEXT,), TEXT, _of_text(_md5)),
    function("md5", _B, TEXT, _md5),
    function("sha224", _B, BYTEA, lambda value: hashlib.sha224(value).digest()),
    function("sha256", _B, BYTEA, lambda value: hashlib.sha256(value).digest()),
    function("sha384", _B, BYTEA, lambda value: hashlib.sha384(value).digest()),
    function("sha512", _B, BYTEA, lambda value: hashlib.sha512(value).digest()),
)
