"""COPY FROM in text format: one line a row, fields between delimiters, backslash escapes, `\\.` for the end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model.datum import Row
from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.pgwire.codec import decode_utf8
from server.pgwire.copy.columns import ColumnReader, Field
from server.pgwire.copy.header import check_header
from server.pgwire.copy.lines import LineCutter
from server.pgwire.copy.options import CopyHeader, CopyOptions

_END = "\\."
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BYTE_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_BYTE_ESCAPE_SIGN = re.compile(r"\\[0-7x]")
_CONTROL = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_TRAILING_BACKSLASHES = re.compile(r"\\*\Z")


def _bad(message: str, hint: str | None = None) -> SqlError:
    return SqlError(Sqlstate.BAD_COPY_FILE_FORMAT, message, hint=hint)


class TextDecoder:
    def __init__(self, reader: ColumnReader, options: CopyOptions) -> None:
        self._reader = reader
        self._options = options
        self._cutter = LineCutter()
        self._line = 0
        self._open = ""
        self._ended = False
        self._header_due = options.header is not CopyHeader.ABSENT

    def feed(self, data: bytes) -> list[Row]:
        """The rows that became whole. SqlError with the line's context."""
        return [] if self._ended else self._read(self._cutter.feed(data))

    def finish(self) -> list[Row]:
        """The rows that were left; the last line may lack its end."""
        if self._ended:
            return []
        lines = self._cutter.finish()
        rows = self._read(lines)
        if self._open:
            # A backslash was the data's very last character.
            rows += self._rows([self._open], [self._line])
            self._open = ""
        return rows

    def _read(self, lines: list[str]) -> list[Row]:
        first = self._line + 1
        self._line += len(lines)
        numbers: Sequence[int] = range(first, first + len(lines))
        if self._open or any(line.endswith("\\") for line in lines):
            lines, numbers = self._join(lines, first)
        if _END in lines:
            end = lines.index(_END)
            lines, numbers = lines[:end], numbers[:end]
            self._ended = True
        self._check_endings(lines, numbers)
        if self._header_due and lines:
            self._header_due = False
            if self._options.header is CopyHeader.MATCH:
                fields = [self._unescape(field) for field in self._split(lines[0])]
                check_header(self._reader, fields, self._options, numbers[0], lines[0])
            lines, numbers = lines[1:], numbers[1:]
        return self._rows(lines, numbers)

    def _join(self, lines: list[str], first: int) -> tuple[list[str], list[int]]:
        """A backslash before the end of a line makes that end part of a field."""
        joined: list[str] = []
        numbers: list[int] = []
        ending = self._cutter.ending or "\n"
        for number, line in enumerate(lines, first):
            line = self._open + line
            match = _TRAILING_BACKSLASHES.search(line)
            if match is not None and len(match[0]) % 2:
                self._open = line + ending
                continue
            self._open = ""
            joined.append(line)
            numbers.append(number)
        return joined, numbers

    def _check_endings(self, lines: Sequence[str], numbers: Sequence[int]) -> None:
        """Raw carriage returns and newlines are data only behind a backslash."""
        for name, character, letter in (("carriage return", "\r", "r"), ("newline", "\n", "n")):
            for line, number in zip(lines, numbers, strict=True):
                if character in line and character in _ESCAPE.sub("", line):
                    error = _bad(f"literal {name} found in data", f'Use "\\{letter}" to represent {name}.')
                    raise with_line(error, self._reader.relation, number)

    def _rows(self, lines: Sequence[str], numbers: Sequence[int]) -> list[Row]:
        null, delimiter = self._options.null, self._options.delimiter
        arity = len(self._reader.names)
        records: list[Sequence[Field]] = []
        for index, line in enumerate(lines):
            fields: Sequence[Field]
            if "\\" in line:
                fields = [None if f == null else self._unescape(f) for f in self._split(line)]
            else:
                fields = line.split(delimiter)
                if null in fields:
                    fields = [None if f == null else f for f in fields]
            if len(fields) != arity and not (arity == 0 and line == ""):
                # Rows before this one are judged first.
                self._reader.rows(records, numbers)
                raise self._wrong_count(len(fields), numbers[index], line)
            records.append(fields)
        return self._reader.rows(records, numbers)

    def _wrong_count(self, count: int, number: int, line: str) -> SqlError:
        names = self._reader.names
        if count < len(names):
            error = _bad(f'missing data for column "{names[count]}"')
        else:
            error = _bad("extra data after last expected column")
        return self._reader.line_error(error, number, line)

    def _split(self, line: str) -> list[str]:
        """Raw fields; a delimiter behind an odd run of backslashes is data."""
        fields: list[str] = []
        open_field = ""
        for field in line.split(self._options.delimiter):
            field = open_field + field
            match = _TRAILING_BACKSLASHES.search(field)
            if match is not None and len(match[0]) % 2:
                open_field = field + self._options.delimiter
            else:
                open_field = ""
                fields.append(field)
        if open_field:
            fields.append(open_field[:-1])
        return fields

    @staticmethod
    def _unescape(field: str) -> str:
        if "\\" not in field:
            return field
        if _BYTE_ESCAPE_SIGN.search(field) is None:
            return _ESCAPE.sub(lambda m: _CONTROL.get(m[1], m[1]), field)
        return decode_utf8(_BYTE_ESCAPE.sub(_escaped_bytes, field.encode()))


def _escaped_bytes(match: re.Match[bytes]) -> bytes:
    """Octal and hexadecimal escapes give bytes, which together must be UTF-8."""
    if match[1] is not None:
        return bytes([int(match[1], 8) & 0xFF])
    if match[2] is not None:
        return bytes([int(match[2], 16)])
    return _CONTROL.get(match[3].decode("latin-1"), "").encode() or match[3]


def with_line(error: SqlError, relation: str, line: int) -> SqlError:
    """An error of a line that can't be shown as a whole."""
    error.context = f"COPY {relation}, line {line}"
    return error
