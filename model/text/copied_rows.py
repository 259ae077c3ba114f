"""Rows as lines of COPY's text and CSV: a column at a time inside, a piece of bytes for each row."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from model.text.context import TextContext
from model.text.copy_options import CheckedCopyOptions, CopyFormat
from model.text.dispatch import formatter
from model.types.datum import Datum, Row
from model.types.relation_desc import RelationDesc
from model.types.scalar_type import ScalarType, TypeName

_ColumnWriter = Callable[[Sequence[Datum]], list[str]]

_SAFE_TYPES = frozenset(
    (TypeName.INT2, TypeName.INT4, TypeName.INT8, TypeName.OID, TypeName.FLOAT4, TypeName.FLOAT8, TypeName.NUMERIC)
)
_SAFE_DELIMITERS = frozenset("\t|,;")
_PIECE = 1 << 16
"""What is done with more at once would hold up the other threads: Python's lock is kept meanwhile."""
_ESCAPES = {"\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}


class LineEncoder:
    """Writes rows with the columns of `desc`, in any format of COPY except binary."""

    def __init__(self, desc: RelationDesc, options: CheckedCopyOptions, context: TextContext) -> None:
        self._names = desc.names
        self._options = options
        self._columns = [_column_writer(t, i, options, context, desc.arity) for i, t in enumerate(desc.types)]

    def header(self) -> bytes:
        """Returns the columns' names."""
        escape = _escaper(self._options, len(self._names))
        return self._options.delimiter.join(map(escape, self._names)).encode() + b"\n"

    def lines(self, rows: Sequence[Row]) -> list[bytes]:
        """Returns a line for each row."""
        if not rows:
            return []
        if not self._columns:
            return [b"\n"] * len(rows)
        texts = [write(column) for write, column in zip(self._columns, zip(*rows, strict=True), strict=True)]
        join = self._options.delimiter.join
        return [(join(row) + "\n").encode() for row in zip(*texts, strict=True)]


def _column_writer(
    type_: ScalarType, index: int, options: CheckedCopyOptions, context: TextContext, arity: int
) -> _ColumnWriter:
    write: Callable[[Any], str] = formatter(type_, context)
    null = options.null
    if options.format is CopyFormat.CSV and index in options.force_quote:
        return lambda column: [null if v is None else _quote(write(v), options) for v in column]
    # Digits and signs need no escape, unless they are the null's text.
    plain_null = null in ("", "\\N")
    if type_.name in _SAFE_TYPES and options.delimiter in _SAFE_DELIMITERS and plain_null and options.quote == '"':
        return lambda column: [null if v is None else write(v) for v in column]
    escape, special = _escaper(options, arity), _special(options)
    own_meaning = _own_meaning(options, arity)

    def write_column(column: Sequence[Datum]) -> list[str]:
        texts = [None if v is None else write(v) for v in column]
        present = [text for text in texts if text is not None]
        if not _has(special, "".join(present)) and own_meaning.isdisjoint(present):
            return [null if text is None else text for text in texts]
        return [null if text is None else escape(text) for text in texts]

    return write_column


def _special(options: CheckedCopyOptions) -> re.Pattern[str]:
    """Returns a pattern for the characters that must be escaped."""
    if options.format is CopyFormat.CSV:
        return re.compile(f"[{re.escape(options.delimiter + options.quote)}\r\n]")
    return re.compile(f"[\\\\\b\f\n\r\t\v{re.escape(options.delimiter)}]")


def _own_meaning(options: CheckedCopyOptions, arity: int) -> frozenset[str]:
    """Returns the texts that have another meaning in CSV when they are a whole value: the null text, and the end
    mark when it would be a line."""
    if options.format is not CopyFormat.CSV:
        return frozenset()
    return frozenset((options.null, "\\.")) if arity == 1 else frozenset((options.null,))


def _has(special: re.Pattern[str], text: str) -> bool:
    return any(special.search(text, start, start + _PIECE) for start in range(0, len(text), _PIECE))


def _changed(text: str, change: Callable[[str], str]) -> str:
    """Applies `change` to each character of a text."""
    if len(text) <= _PIECE:
        return change(text)
    return "".join(change(text[start : start + _PIECE]) for start in range(0, len(text), _PIECE))


def _escaper(options: CheckedCopyOptions, arity: int) -> Callable[[str], str]:
    special, own_meaning = _special(options), _own_meaning(options, arity)
    if options.format is CopyFormat.CSV:

        def quote_if_needed(text: str) -> str:
            if text in own_meaning or _has(special, text):
                return _quote(text, options)
            return text

        return quote_if_needed
    return lambda text: _changed(text, lambda piece: special.sub(_backslashed, piece))


def _backslashed(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or "\\" + match[0]


def _quote(text: str, options: CheckedCopyOptions) -> str:
    quote, escape = options.quote, options.escape

    def escaped(piece: str) -> str:
        if escape != quote:
            piece = piece.replace(escape, escape + escape)
        return piece.replace(quote, escape + quote)

    return quote + _changed(text, escaped) + quote
