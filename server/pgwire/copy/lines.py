"""Bytes to whole lines, across chunks, with the line ending that the data itself shows first."""

from __future__ import annotations

import re

from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.pgwire.codec import decode_utf8

LINE_BYTES_MAX = 1 << 28


def too_long(what: str) -> SqlError:
    """54000."""
    message = f"a {what} of COPY data is longer than {LINE_BYTES_MAX} bytes"
    return SqlError(Sqlstate.PROGRAM_LIMIT_EXCEEDED, message)


class EndingFinder:
    """Finds the first end of a line that is not data: not behind a backslash (text), not in quotes (csv)."""

    def __init__(self, quote: str | None, escape: str) -> None:
        self._quote = quote.encode() if quote is not None else None
        self._escape = escape.encode()
        signs = re.escape(self._escape) + (re.escape(self._quote) if self._quote is not None else b"")
        self._sign = re.compile(rb"\r\n|[\r\n" + signs + rb"]")
        self._inside = False
        self._position = 0

    def find(self, data: bytes | bytearray, *, final: bool) -> str | None:
        """The ending; None when `data`, which grows from call to call, doesn't tell yet."""
        while (match := self._sign.search(data, self._position)) is not None:
            sign, following = match[0], bytes(data[match.end() : match.end() + 1])
            undecided = following == b"" and not final and sign != b"\n"
            if undecided and (sign == b"\r" or sign == self._escape):
                self._position = match.start()
                return None
            self._position = match.end()
            if self._is_escape(sign, following):
                self._position += 1
            elif sign == self._quote:
                self._inside = not self._inside
            elif sign in (b"\r\n", b"\r", b"\n") and not self._inside:
                return sign.decode()
        self._position = len(data)
        return None

    def _is_escape(self, sign: bytes, following: bytes) -> bool:
        if sign != self._escape or following == b"":
            return False
        return self._quote is None or (self._inside and following in (self._quote, self._escape))


class LineCutter:
    """`feed` gives the lines that became whole, as one block; `finish` the last one, which may lack its end. What is
    held is one line, at most LINE_BYTES_MAX bytes long. `ending` is None until the first end of a line was seen."""

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

    def lines_of(self, block: bytes) -> list[str]:
        """A block's lines, one by one."""
        assert self.ending is not None, "a line has ended"
        return decode_utf8(block).split(self.ending)

    def finish(self) -> list[str]:
        """Lines that were held because the last one lacks its end."""
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
        data = bytes(self._first) + b"".join(self._parts)
        self._first.clear()
        self._parts.clear()
        self._held = 0
        return data
