"""Records in text: `(1,"a b",)`. Like PostgreSQL, this writes all records, and reads only those of composite types."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.text.failures import SPACES
from model.types.datum import Datum

_NEEDS_QUOTES = re.compile(r'[()",\\ \t\n\v\f\r]|\A\Z')
_NOT_PLAIN = r'\\.|"(?:[^"\\]|\\.|"")*"'
"""The pattern of a piece that is not plain."""
_QUOTED_PIECE = re.compile(r'\\(.)|""', re.DOTALL)
_DOUBLED = re.compile(r'(["\\])')


def piece_reader(delimiters: str) -> Callable[[str, int, Callable[[], SqlError]], tuple[str | None, int]]:
    """Returns the reader of a part that ends before one of the delimiters.

    The reader takes a text, where the part starts, and what makes the error for a text that ends before the part does.
    It returns what is written, None for nothing, and where the part ends: `"a ""b"` gives `a "b`.
    """
    piece_at = re.compile(rf'[^\\"{re.escape(delimiters)}]+|{_NOT_PLAIN}', re.DOTALL)

    def read(body: str, start: int, unfinished: Callable[[], SqlError]) -> tuple[str | None, int]:
        at = start
        pieces: list[str] = []
        while at >= len(body) or body[at] not in delimiters:
            match = piece_at.match(body, at)
            if match is None:
                raise unfinished()
            piece = match[0]
            if piece[0] == '"':
                pieces.append(_QUOTED_PIECE.sub(lambda found: found[1] or '"', piece[1:-1]))
            else:
                pieces.append(piece[1:] if piece[0] == "\\" else piece)
            at = match.end()
        return ("".join(pieces) if at > start else None), at

    return read


_read_field = piece_reader(",)")


def parse_record(text: str) -> tuple[Datum, ...]:
    """Raises 0A000 always, as in PostgreSQL."""
    raise SqlError(Sqlstate.FEATURE_NOT_SUPPORTED, "input of anonymous composite types is not implemented")


def composite_parser(parse_fields: Sequence[Callable[[str], Datum]]) -> Callable[[str], tuple[Datum, ...]]:
    """Returns the parser of records, which raises 22P02 for a text that is no record with so many fields."""

    def parse(text: str) -> tuple[Datum, ...]:
        body = text.strip(SPACES)
        if not body.startswith("("):
            raise _malformed(text, "Missing left parenthesis.")
        values: list[Datum] = []
        at = 1
        for number, parse_field in enumerate(parse_fields):
            if number:
                if body[at] != ",":
                    raise _malformed(text, "Too few columns.")
                at += 1
            written, at = _field(body, at, text)
            values.append(None if written is None else parse_field(written))
        if body[at] != ")":
            raise _malformed(text, "Too many columns.")
        if len(body) > at + 1:
            raise _malformed(text, "Junk after right parenthesis.")
        return tuple(values)

    return parse


def _field(body: str, start: int, text: str) -> tuple[str | None, int]:
    """Returns the text of a field, None for NULL, and where it ends."""
    return _read_field(body, start, lambda: _malformed(text, "Unexpected end of input."))


def _malformed(text: str, detail: str) -> SqlError:
    return SqlError(Sqlstate.INVALID_TEXT_REPRESENTATION, f'malformed record literal: "{text}"', detail=detail)


def record_formatter(format_fields: Sequence[Callable[[Datum], str]]) -> Callable[[Sequence[Datum]], str]:
    def write(value: Sequence[Datum]) -> str:
        texts = (
            "" if item is None else _quoted(format_field(item))
            for item, format_field in zip(value, format_fields, strict=True)
        )
        return "(" + ",".join(texts) + ")"

    return write


def _quoted(text: str) -> str:
    if _NEEDS_QUOTES.search(text) is None:
        return text
    return '"' + _DOUBLED.sub(r"\1\1", text) + '"'
