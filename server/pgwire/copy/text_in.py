"""COPY FROM in text format: one line a row, fields between delimiters, backslash escapes, `\\.` for the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from model.errors.sql_error import SqlError
from model.text.copy_options import CheckedCopyOptions
from model.types.datum import Row
from server.pgwire.codec import decode_utf8
from server.pgwire.copy.copied_columns import ColumnReader
from server.pgwire.copy.line_decoder import LineDecoder
from server.pgwire.copy.lines import EndingFinder, parts_of
from server.pgwire.copy.records import STRAY_ENDING, bad_file

_END = "\\."
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BYTE_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_BYTE_ESCAPE_SIGN = re.compile(r"\\[0-7x]")
_PIECE = 1 << 16
_CONTROL = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _ends_escaping(text: str) -> bool:
    """Tells whether the character behind `text` is escaped by a backslash."""
    end = len(text)
    while end > 0:
        piece = text[max(0, end - _PIECE) : end]
        before = piece.rstrip("\\")
        end -= len(piece) - len(before)
        if before:
            break
    return (len(text) - end) % 2 == 1


class TextDecoder(LineDecoder):
    def __init__(self, reader: ColumnReader, options: CheckedCopyOptions) -> None:
        super().__init__(reader, options, EndingFinder(None, "\\"))

    def finish(self) -> list[Row]:
        """Returns the rows that were left; the last line may lack its end."""
        rows = [] if self._ended else self._read(self._cutter.finish(), whole=False)
        if self._open_length and not self._ended:
            self._take(self._taken(), whole=False)
            rows += self._batch.rows()
        self._batch.finish()
        return rows

    def _read(self, lines: Iterable[str], *, whole: bool) -> list[Row]:
        """Reads lines; `whole` tells whether each had a line end."""
        delimiter, null, add = self._options.delimiter, self._options.null, self._batch.add
        for line in lines:
            if self._ended:
                break
            if self._open_length or "\\" in line or "\r" in line or "\n" in line:
                self._read_carefully(line, whole)
                continue
            self._line += 1
            fields = line.split(delimiter)
            add([None if f == null else f for f in fields] if null in fields else fields, self._line, line)
        return self._batch.rows()

    def _read_carefully(self, line: str, whole: bool) -> None:
        """Reads a line with special characters. A line that ends with a backslash is held back until the next line
        comes, because the backslash makes the line's end part of a field."""
        if not self._open_length:
            self._line += 1
        if _ends_escaping(line):
            self._hold(line + (self._cutter.ending or "") if whole else line)
            return
        self._take(self._taken() + line, whole)

    def _take(self, line: str, whole: bool) -> None:
        """Reads a complete line that holds backslashes, or characters that must stand behind a backslash."""
        end = self._end_mark(line)
        data = line if end is None else line[:end]
        if end is None and _ends_escaping(line):
            # A backslash before nothing stands for nothing.
            data = line[:-1]
        stray = _stray_ending(data)
        if stray is not None:
            name, letter = ("newline", "n") if stray == "\n" else ("carriage return", "r")
            error = bad_file(f"literal {name} found in data", f'Use "\\{letter}" to represent {name}.')
            raise self._batch.refused(error, self._line, None)
        if end is not None:
            self._end(line[end + len(_END) :], whole)
            if end == 0:
                return
            line = data
        try:
            fields = [None if f == self._options.null else _unescape(f) for f in self._split(data)]
        except SqlError as error:
            raise self._batch.refused(error, self._line, None) from None
        self._batch.add(fields, self._line, line)

    @staticmethod
    def _end_mark(line: str) -> int | None:
        r"""Returns the place of `\.`; None where there is none."""
        start = 0
        while start < len(line):
            place = line.find(_END, start, start + _PIECE)
            if place >= 0 and not _is_escaped(line, place):
                return place
            # The mark may lie across the end of a piece.
            start = start + _PIECE - 1 if place < 0 else place + 1
        return None

    def _end(self, after: str, whole: bool) -> None:
        """Checks the end mark, which must end its line, and the line must have an end."""
        self._ended = True
        if after == "" and whole:
            return
        message = "end-of-copy marker corrupt"
        if after[:1] in ("\r", "\n"):
            message = "end-of-copy marker does not match previous newline style"
        raise self._batch.refused(bad_file(message), self._line, None)

    def _split(self, line: str) -> list[str]:
        """Splits a line into raw fields; a delimiter behind a backslash is data."""
        fields: list[str] = []
        open_field: list[str] = []
        for field in parts_of(line, self._options.delimiter):
            open_field.append(field)
            if not _ends_escaping(field):
                fields.append(self._options.delimiter.join(open_field))
                open_field.clear()
        if open_field:
            fields.append(self._options.delimiter.join(open_field))
        return fields


def _unescape(field: str) -> str:
    if "\\" not in field:
        return field
    if not any(_BYTE_ESCAPE_SIGN.search(piece) for piece in _pieces(field)):
        return "".join(_ESCAPE.sub(lambda m: _CONTROL.get(m[1], m[1]), piece) for piece in _pieces(field))
    return decode_utf8(b"".join(_BYTE_ESCAPE.sub(_escaped_bytes, piece.encode()) for piece in _pieces(field)))


def _stray_ending(data: str) -> str | None:
    """Returns the first end of a line that is not behind a backslash."""
    if "\n" not in data and "\r" not in data:
        return None
    found = (STRAY_ENDING.search(_ESCAPE.sub("", piece)) for piece in _pieces(data))
    return next((match[0] for match in found if match is not None), None)


def _pieces(text: str) -> Iterator[str]:
    """Yields a text in parts that split no escape; parts are short, so that handling one never takes long."""
    start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        # A byte's escape may have three signs behind its backslash.
        near = (place for place in range(end - 1, end - 4, -1) if text[place] == "\\")
        end = next((place for place in near if not _is_escaped(text, place, start)), end)
        yield text[start:end]
        start = end
    yield text[start:] if start else text


def _is_escaped(text: str, place: int, start: int = 0) -> bool:
    """Tells whether the character at `place` is escaped by a backslash; the character at `start` is not."""
    before = place
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (place - before) % 2 == 1


def _escaped_bytes(match: re.Match[bytes]) -> bytes:
    """Returns the bytes of an escape; octal and hexadecimal ones give single bytes, which together must be UTF-8."""
    if match[1] is not None:
        return bytes([int(match[1], 8) & 0xFF])
    if match[2] is not None:
        return bytes([int(match[2], 16)])
    return _CONTROL.get(match[3].decode("latin-1"), "").encode() or match[3]
