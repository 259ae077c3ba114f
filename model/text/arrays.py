"""One-dimensional arrays in text: `{1,NULL,"a b"}`. More dimensions and other lower bounds than 1 are 0A000."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from model.datum import Datum
from model.errors import NotSupported, SqlError
from model.sqlstate import Sqlstate
from model.text.failures import SPACES

_BOUNDS = re.compile(r"((?:\[[+-]?\d+(?::[+-]?\d+)?\])+)\s*=")
_BOUND = re.compile(r"\[(?:([+-]?\d+):)?([+-]?\d+)\]")
_ELEMENT = re.compile(r'[^{}",\\]+|\\.|"(?:[^"\\]|\\.)*"', re.DOTALL)
_PLAIN = re.compile(r'[^{}",\\ \t\n\v\f\r]+(?:,[^{}",\\ \t\n\v\f\r]+)*')
_NEEDS_QUOTES = re.compile(r'[{}",\\ \t\n\v\f\r]|\A[nN][uU][lL][lL]\Z|\A\Z')
_ESCAPED = re.compile(r'(["\\])')
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)


def _malformed(text: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'malformed array literal: "{text}"', detail=detail)


def array_parser(parse_element: Callable[[str], Datum]) -> Callable[[str], tuple[Datum, ...]]:
    def parse(text: str) -> tuple[Datum, ...]:
        return tuple(None if item is None else parse_element(item) for item in split_array(text))

    return parse


def split_array(text: str) -> list[str | None]:
    """The elements' texts, unquoted; None for NULL."""
    body = text.strip(SPACES)
    declared = _BOUNDS.match(body)
    if declared is not None:
        body = body[declared.end() :].lstrip(SPACES)
    if body.startswith("[") and declared is None:
        raise _malformed(text, '"[" must introduce explicitly-specified array dimensions.')
    if not body.startswith("{"):
        detail = (
            'Array contents must start with "{".'
            if declared is not None
            else 'Array value must start with "{" or dimension information.'
        )
        raise _malformed(text, detail)
    inner = body[1:-1]
    if body[-1] == "}" and _PLAIN.fullmatch(inner):
        items: list[str | None] = [None if len(i) == 4 and i.lower() == "null" else i for i in inner.split(",")]
    else:
        items = _split_slowly(body, text)
    if declared is not None:
        _check_bounds(declared[1], len(items), text)
    return items


def _check_bounds(declared: str, length: int, text: str) -> None:
    bounds = _BOUND.findall(declared)
    if len(bounds) > 1:
        raise NotSupported("an array of several dimensions")
    low, high = int(bounds[0][0] or 1), int(bounds[0][1])
    if high < low:
        message = "upper bound cannot be less than lower bound"
        raise SqlError(Sqlstate.ARRAY_SUBSCRIPT_ERROR, message)
    if high - low + 1 != length:
        raise _malformed(text, "Specified array dimensions do not match array contents.")
    if low != 1:
        raise NotSupported("an array whose lower bound is not 1")


def _split_slowly(body: str, text: str) -> list[str | None]:
    """Quotes, escapes and errors; one element a turn, `position` behind the brace or comma before it."""
    items: list[str | None] = []
    position = 1
    while True:
        item, position, quoted = _read_element(body, position, text, first=not items)
        delimiter = body[position : position + 1]
        if delimiter == "":
            raise _malformed(text, "Unexpected end of input.")
        if not item and not quoted and (delimiter == "," or items):
            raise _malformed(text, f'Unexpected "{delimiter}" character.')
        if item or quoted:
            items.append(None if not quoted and item.lower() == "null" else item)
        position += 1
        if delimiter == "}":
            break
    if body[position:].strip(SPACES):
        raise _malformed(text, "Junk after closing right brace.")
    return items


def _read_element(body: str, position: int, text: str, *, first: bool) -> tuple[str, int, bool]:
    """(text, where it ends, whether quotes or escapes make it literal)."""
    pieces: list[str] = []
    quoted = escaped = False
    while position < len(body) and body[position] not in ",}":
        if body[position] == "{":
            if quoted or not first or "".join(pieces).strip(SPACES):
                raise _malformed(text, 'Unexpected "{" character.')
            raise NotSupported("an array of several dimensions")
        if body[position] == '"' and (quoted or "".join(pieces).strip(SPACES)):
            raise _malformed(text, "Unexpected array element.")
        match = _ELEMENT.match(body, position)
        if match is None:
            raise _malformed(text, "Unexpected end of input.")
        piece = match[0]
        if piece[0] == '"':
            quoted = True
            pieces = [_UNESCAPE.sub(r"\1", piece[1:-1])]
        elif quoted:
            if piece.strip(SPACES):
                raise _malformed(text, "Unexpected array element.")
        elif piece[0] == "\\":
            escaped = True
            pieces.append(piece[1])
        else:
            pieces.append(piece)
        position = match.end()
    item = "".join(pieces)
    return (item if quoted or escaped else item.strip(SPACES)), position, quoted or escaped


def array_formatter(format_element: Callable[[Datum], str]) -> Callable[[Sequence[Datum]], str]:
    def write(value: Sequence[Datum]) -> str:
        return "{" + ",".join("NULL" if item is None else quote_element(format_element(item)) for item in value) + "}"

    return write


def quote_element(text: str) -> str:
    """In double quotes when it would be read as something else without."""
    if _NEEDS_QUOTES.search(text) is None:
        return text
    return '"' + _ESCAPED.sub(r"\\\1", text) + '"'
