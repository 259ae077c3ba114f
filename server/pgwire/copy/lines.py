"""Splits bytes into complete lines, across chunks, with the line end that occurs first in the data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from server.pgwire.codec import decode_utf8
from server.pgwire.large_values import LARGE_BYTES

LINE_BYTES_MAX = 1 << 28
_PIECE = 1 << 16
"""What is looked through at once: Python's lock is kept meanwhile."""


def too_long(what: str) -> SqlError:
    """Returns SqlError 54000 for a line that is too long."""
    message = f"a {what} of COPY data is longer than {LINE_BYTES_MAX} bytes"
    return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)


class EndingFinder:
    """Finds the first end of a line that is not data: not behind a backslash (text), not in quotes (csv)."""

    def __init__(self, quote: str | None, escape: str) -> None:
        self._quote = quote.encode() if quote is not None else b""
        if quote is None:
            self._outside = self._within = re.compile(rb"(?:[^\\\r\n]++|\\.)*+", re.DOTALL)
        else:
            sign, within = re.escape(self._quote), quoted(quote, escape).encode()
            self._outside = re.compile(rb"(?:[^\r\n%b]++|%b%b%b)*+" % (sign, sign, within, sign), re.DOTALL)
            self._within = re.compile(within, re.DOTALL)
        self._inside = False
        self._position = 0

    def find(self, data: bytes | bytearray, *, final: bool) -> str | None:
        """Returns the ending; None when `data`, which grows from call to call, doesn't tell yet."""
        while True:
            pattern, end = self._within if self._inside else self._outside, self._position + _PIECE
            match = pattern.match(data, self._position, end)
            assert match is not None, "it may match nothing"
            begun, self._position = self._position, match.end()
            if begun < self._position and end < len(data):
                continue
            sign = bytes(data[self._position : self._position + 2])
            if sign[:1] == b"\n":
                return "\n"
            if sign[:1] == b"\r" and (final or len(sign) == 2):
                return "\r\n" if sign == b"\r\n" else "\r"
            if sign == b"" or sign[:1] != self._quote:
                return None
            self._inside = not self._inside
            self._position += 1


def quoted(quote: str, escape: str) -> str:
    """Returns a pattern for text within quotes; it stops before a character whose meaning depends on the next one."""
    quote, escape = re.escape(quote), re.escape(escape)
    if quote == escape:
        return f"[^{quote}]*+"
    return f"(?:[^{quote}{escape}]++|{escape}[{quote}{escape}]|{escape}(?=[^{quote}{escape}]))*+"


class LineCutter:
    """Splits data into lines: `feed` returns the complete ones as a block, `finish` the last one, which may lack its
    end. At most one line is held, of at most LINE_BYTES_MAX bytes. `ending` is None until the first line end."""

    def __init__(self, finder: EndingFinder) -> None:
        self.ending: str | None = None
        self._finder = finder
        self._first = bytearray()
        """What has come before the first end of a line was seen: it is looked through once, however it comes."""
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, data: bytes) -> bytes | None:
        """Lines without the end of the last; None when none became whole."""
        if self.ending is None:
            self._first += data
            if len(self._first) > LINE_BYTES_MAX:
                raise too_long("line")
            self.ending = self._finder.find(self._first, final=False)
            if self.ending is None:
                return None
            data = self._take()
        elif self._parts and self._parts[-1][-1:] == b"\r":
            # The end of a line may have been cut in two.
            data = self._take() + data
        ending = self.ending.encode()
        cut = data.rfind(ending)
        if cut < 0:
            self._hold(data)
            return None
        block = self._take() + data[:cut]
        self._hold(data[cut + len(ending) :])
        return block

    @property
    def held_bytes(self) -> int:
        return len(self._first) + self._held

    def lines_of(self, block: bytes) -> Iterable[str]:
        """Returns a block's lines one by one."""
        assert self.ending is not None, "a line has ended"
        return parts_of(decode_utf8(block), self.ending)

    def finish(self) -> list[str]:
        """Returns the held lines; the last one lacks its end."""
        data = self._take()
        if self.ending is None:
            self.ending = self._finder.find(data, final=True)
            if self.ending is not None:
                lines = decode_utf8(data).split(self.ending)
                return lines if lines[-1] else lines[:-1]
        return [decode_utf8(data)] if data else []

    def _hold(self, data: bytes) -> None:
        if data:
            self._parts.append(data)
            self._held += len(data)
            if self._held > LINE_BYTES_MAX:
                raise too_long("line")

    def _take(self) -> bytes:
        data = b"".join((self._first, *self._parts)) if self._parts else bytes(self._first)
        self._first.clear()
        self._parts.clear()
        self._held = 0
        return data


def parts_of(text: str, sign: str) -> Iterable[str]:
    """Splits as str.split does; the parts of a large text are made one by one."""
    return text.split(sign) if len(text) < LARGE_BYTES else _split(text, sign)


def _split(text: str, sign: str) -> Iterator[str]:
    start = 0
    while (end := text.find(sign, start)) >= 0:
        yield text[start:end]
        start = end + len(sign)
    yield text[start:] if start else text
