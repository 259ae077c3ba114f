"""Functions of text that need no pattern: lengths, cases, pieces, padding, trimming. Characters are code points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.patterns.cases import lower, upper
from model.patterns.characters import CLASSES
from model.types.scalar_type import (
    BOOL,
    BPCHAR,
    INT4,
    TEXT,
    ScalarType,
    array_of,
    length_limit,
)
from planner.functions.failures import invalid_parameter, out_of_range
from planner.functions.rows import function, operator
from planner.functions.signature import Function

_LENGTH_MAX = 0x3FFFFFFF
_CODE_MAX = 0x10FFFF
_INT4_MAX = 0x7FFFFFFF
_INT4_MIN = -0x80000000


def substring(text: Any, start: int, length: int | None = None) -> Any:
    """Cuts from the 1-based `start`, which may lie before the text; works on text and on bytea. Raises 22011 for
    length < 0."""
    if length is None:
        return text[max(start - 1, 0) :]
    if length < 0:
        raise SqlError(Sqlstate.SUBSTRING_ERROR, "negative substring length not allowed")
    return text[max(start - 1, 0) : max(start - 1 + length, 0)]


def left(text: str, count: int) -> str:
    """Returns the first `count` characters; all but the last -`count` when negative."""
    return text[:count]


def right(text: str, count: int) -> str:
    """Returns the last `count` characters; all but the first -`count` when negative."""
    if count == _INT4_MIN:
        # PostgreSQL's negation of it overflows, and cuts nothing.
        return text
    return text[-count:] if count else ""


def _checked_length(length: int) -> int:
    if length > _LENGTH_MAX:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "requested length too large")
    return length


def _padding(fill: str, count: int) -> str:
    return (fill * (count // len(fill) + 1))[:count] if fill and count > 0 else ""


def pad_left(text: str, length: int, fill: str = " ") -> str:
    """Pads a text on the left, and cuts it to `length` characters when longer."""
    length = max(_checked_length(length), 0)
    return _padding(fill, length - len(text)) + text[:length]


def pad_right(text: str, length: int, fill: str = " ") -> str:
    """Pads a text on the right, and cuts it to `length` characters when longer."""
    length = max(_checked_length(length), 0)
    return text[:length] + _padding(fill, length - len(text))


def _trimmer(strip: Callable[..., str]) -> Callable[..., str]:
    return lambda text, characters=" ": strip(text, characters) if characters else text


trim_both, trim_left, trim_right = _trimmer(str.strip), _trimmer(str.lstrip), _trimmer(str.rstrip)


def replace(text: str, old: str, new: str) -> str:
    return text.replace(old, new) if old else text


def translate(text: str, old: str, new: str) -> str:
    """Replaces each character of `old` by the one at its place in `new`, or by nothing; its first place counts."""
    table: dict[int, str] = {}
    for index, character in enumerate(old):
        table.setdefault(ord(character), new[index] if index < len(new) else "")
    return text.translate(table)


def repeat(text: str, count: int) -> str:
    if count > 0 and len(text) * count > _LENGTH_MAX:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "requested length too large")
    return text * count


def initcap(text: str) -> str:
    """Writes each word with a capital first. Words are runs of letters and ASCII's digits."""
    pieces: list[str] = []
    inside = False
    for character in text:
        pieces.append(lower(character) if inside else upper(character))
        inside = character in _IN_WORDS
    return "".join(pieces)


_IN_WORDS = CLASSES["alnum"]


def split_part(text: str, delimiter: str, field: int) -> str:
    """Returns the 1-based field; from the end when negative; '' beyond. Raises 22023 for 0."""
    if field == 0:
        raise invalid_parameter("field position must not be zero")
    if not text:
        return ""
    fields = text.split(delimiter) if delimiter else [text]
    index = field - 1 if field > 0 else len(fields) + field
    return fields[index] if 0 <= index < len(fields) else ""


def ascii_code(text: str) -> int:
    return ord(text[0]) if text else 0


def character(code: int) -> str:
    """Returns the character of a code point; raises 54000 for what text can't hold."""
    if code < 0:
        raise invalid_parameter("character number must be positive")
    if code == 0:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, "null character not permitted")
    if code > _CODE_MAX:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"requested character too large for encoding: {code}")
    if 0xD800 <= code < 0xE000:
        raise SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"requested character not valid for encoding: {code}")
    return chr(code)


def overlay(text: Any, new: Any, start: int, length: int | None = None) -> Any:
    """Puts `new` in place of `length` characters (as many as `new` has) from `start`; text and bytea."""
    if start <= 0:
        raise SqlError(Sqlstate.SUBSTRING_ERROR, "negative substring length not allowed")
    if length is None:
        length = len(new)
    if start + length > _INT4_MAX:
        raise out_of_range("integer")
    return text[: start - 1] + new + text[max(start - 1 + length, 0) :]


def string_to_array(text: str | None, delimiter: str | None, null: str | None = None) -> tuple[str | None, ...] | None:
    """Splits a text at a delimiter: NULL splits into characters, '' does not split. Fields that equal `null` become
    NULL."""
    if text is None:
        return None
    if not text:
        return ()
    if delimiter is None:
        fields = list(text)
    else:
        fields = text.split(delimiter) if delimiter else [text]
    return tuple(None if field == null else field for field in fields)


def _position(text: Any, part: Any) -> int:
    return int(text.find(part)) + 1


def _length(text: str) -> int:
    return len(text.rstrip(" "))


def _padded_length(types: tuple[ScalarType, ...], text: str) -> int:
    """Returns the bytes with the blanks, which datums stored long ago don't have."""
    return len(text.encode()) + max((length_limit(types[0]) or 0) - len(text), 0)


def _trims(name: str, trim: Callable[..., str]) -> list[Function]:
    return [function(name, (TEXT,), TEXT, trim), function(name, (TEXT, TEXT), TEXT, trim)]


_T, _TI, _TT, _TTT = (TEXT,), (TEXT, INT4), (TEXT, TEXT), (TEXT, TEXT, TEXT)

FUNCTIONS: tuple[Function, ...] = (
    operator("||", "concat", _TT, TEXT, lambda a, b: a + b),
    function("length", _T, INT4, len),
    function("length", (BPCHAR,), INT4, _length),
    function("char_length", _T, INT4, len),
    function("char_length", (BPCHAR,), INT4, _length),
    function("character_length", _T, INT4, len),
    function("character_length", (BPCHAR,), INT4, _length),
    function("octet_length", _T, INT4, lambda a: len(a.encode())),
    function("octet_length", (BPCHAR,), INT4, _padded_length, typed=True),
    function("bit_length", _T, INT4, lambda a: 8 * len(a.encode())),
    function("lower", _T, TEXT, lower),
    function("upper", _T, TEXT, upper),
    function("initcap", _T, TEXT, initcap),
    function("reverse", _T, TEXT, lambda a: a[::-1]),
    *(function(name, _TI, TEXT, substring) for name in ("substr", "substring")),
    *(function(name, (TEXT, INT4, INT4), TEXT, substring, fallible=True) for name in ("substr", "substring")),
    function("left", _TI, TEXT, left),
    function("right", _TI, TEXT, right),
    function("lpad", _TI, TEXT, pad_left, fallible=True),
    function("lpad", (TEXT, INT4, TEXT), TEXT, pad_left, fallible=True),
    function("rpad", _TI, TEXT, pad_right, fallible=True),
    function("rpad", (TEXT, INT4, TEXT), TEXT, pad_right, fallible=True),
    *_trims("btrim", trim_both),
    *_trims("ltrim", trim_left),
    *_trims("rtrim", trim_right),
    function("replace", _TTT, TEXT, replace),
    function("translate", _TTT, TEXT, translate),
    function("repeat", _TI, TEXT, repeat, fallible=True),
    function("split_part", (TEXT, TEXT, INT4), TEXT, split_part, fallible=True),
    function("strpos", _TT, INT4, _position),
    function("position", _TT, INT4, _position),
    function("starts_with", _TT, BOOL, str.startswith),
    operator("^@", "starts_with", _TT, BOOL, str.startswith),
    function("ascii", _T, INT4, ascii_code),
    function("chr", (INT4,), TEXT, character, fallible=True),
    function("overlay", (TEXT, TEXT, INT4), TEXT, overlay, fallible=True),
    function("overlay", (TEXT, TEXT, INT4, INT4), TEXT, overlay, fallible=True),
    function("string_to_array", _TT, array_of(TEXT), string_to_array, strict=False),
    function("string_to_array", _TTT, array_of(TEXT), string_to_array, strict=False),
)
