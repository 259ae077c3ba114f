"""Ranges and multiranges in text: `[1,5)`, `(,"a b"]`, `empty`; `{[1,3),[5,8)}`."""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.order.ranges import Multirange, make_range, multirange
from model.text.failures import SPACES
from model.text.records import piece_reader
from model.types.datum import EMPTY_RANGE, Datum, Range
from model.types.scalar_type import ScalarType

_EMPTY = "empty"
_read_bound = piece_reader(",)]")
_NEEDS_QUOTES = re.compile(r'[()\[\],"\\ \t\n\v\f\r]|\A\Z')
_ESCAPED = re.compile(r'(["\\])')
_RANGE_IN = re.compile(r'[\[(](?:[^\\"\])]|\\.|"(?:[^"\\]|\\.|"")*")*[\])]', re.DOTALL)


def range_parser(type_: ScalarType, parse_bound: Callable[[str], Datum]) -> Callable[[str], Range]:
    """Returns the parser of ranges, which raises 22P02 for a wrong text, and the errors of `make_range`."""

    def parse(text: str) -> Range:
        body = text.strip(SPACES)
        if body[: len(_EMPTY)].lower() == _EMPTY:
            if len(body) > len(_EMPTY):
                raise _malformed("range", text, 'Junk after "empty" key word.')
            return EMPTY_RANGE
        if body[:1] not in ("[", "("):
            raise _malformed("range", text, "Missing left parenthesis or bracket.")
        lower, at = _bound(body, 1, text)
        if body[at] != ",":
            raise _malformed("range", text, "Missing comma after lower bound.")
        upper, at = _bound(body, at + 1, text)
        if body[at] == ",":
            raise _malformed("range", text, "Too many commas.")
        if len(body) > at + 1:
            raise _malformed("range", text, "Junk after right parenthesis or bracket.")
        bounds = [None if bound is None else parse_bound(bound) for bound in (lower, upper)]
        return make_range(type_, bounds[0], bounds[1], body[0] == "[", body[at] == "]")

    return parse


def _bound(body: str, start: int, text: str) -> tuple[str | None, int]:
    """Returns the text of a bound, None for none, and where it ends."""
    return _read_bound(body, start, lambda: _malformed("range", text, "Unexpected end of input."))


def range_formatter(format_bound: Callable[[Datum], str]) -> Callable[[Range], str]:
    def bound(value: Datum) -> str:
        if value is None:
            return ""
        text = format_bound(value)
        return '"' + _ESCAPED.sub(r"\1\1", text) + '"' if _NEEDS_QUOTES.search(text) else text

    def write(value: Range) -> str:
        if value.empty:
            return _EMPTY
        left, right = "[" if value.lower_included else "(", "]" if value.upper_included else ")"
        return f"{left}{bound(value.lower)},{bound(value.upper)}{right}"

    return write


def multirange_parser(type_: ScalarType, parse_range: Callable[[str], Range]) -> Callable[[str], Multirange]:
    """Returns the parser of multiranges, which raises 22P02 for a wrong text."""

    def parse(text: str) -> Multirange:
        body = text.strip(SPACES)
        if not body.startswith("{"):
            raise _malformed("multirange", text, "Missing left brace.")
        found, end = _ranges(body, text, parse_range)
        if len(body) > end:
            raise _malformed("multirange", text, "Junk after closing right brace.")
        return multirange(type_, found)

    return parse


def _ranges(body: str, text: str, parse_range: Callable[[str], Range]) -> tuple[list[Range], int]:
    """Returns the ranges in braces, and where the closing brace ends."""
    found: list[Range] = []
    at = _skip(body, 1, text)
    if body[at] == "}":
        return found, at + 1
    while True:
        if body[at] in "[(":
            match = _RANGE_IN.match(body, at)
            if match is None:
                raise _malformed("multirange", text, "Unexpected end of input.")
            found.append(parse_range(match[0]))
            at = match.end()
        elif body[at : at + len(_EMPTY)].lower() == _EMPTY:
            at += len(_EMPTY)
        else:
            raise _malformed("multirange", text, "Expected range start.")
        at = _skip(body, at, text)
        if body[at] == "}":
            return found, at + 1
        if body[at] != ",":
            raise _malformed("multirange", text, "Expected comma or end of multirange.")
        at = _skip(body, at + 1, text)


def _skip(body: str, at: int, text: str) -> int:
    """Returns the next place that is no space; raises 22P02 at the end."""
    while at < len(body) and body[at] in SPACES:
        at += 1
    if at == len(body):
        raise _malformed("multirange", text, "Unexpected end of input.")
    return at


def multirange_formatter(format_range: Callable[[Range], str]) -> Callable[[Multirange], str]:
    return lambda value: "{" + ",".join(map(format_range, value)) + "}"


def _malformed(what: str, text: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'malformed {what} literal: "{text}"', detail=detail)
