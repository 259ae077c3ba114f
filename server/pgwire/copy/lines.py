"""Bytes to whole lines, across chunks, with the line ending that the data itself shows first."""

from __future__ import annotations

import re

from model.errors import SqlError
from model.sqlstate import Sqlstate
from server.pgwire.codec import decode_utf8

LINE_BYTES_MAX = 1 << 28
_LINE_END = re.compile(rb"\r\n|\r|\n")


class LineCutter:
    """`feed` gives the lines that became whole; `finish` the last one, which may lack its end. What is held is one
    line, at most LINE_BYTES_MAX bytes long (54000). `ending` is None until the first end of a line was seen."""

    def __init__(self) -> None:
        self.ending: str | None = None
        self._parts: list[bytes] = []
        self._held = 0

    def feed(self, data: bytes) -> list[str]:
        if self._parts and self._parts[-1][-1:] == b"\r":
            # The end of a line may have been cut in two.
            data = self._take() + data
        if self.ending is None and not self._detect(data, final=False):
            self._hold(data)
            return []
        assert self.ending is not None
        ending = self.ending.encode()
        cut = data.rfind(ending)
        if cut < 0:
            self._hold(data)
            return []
        block = self._take() + data[:cut]
        self._hold(data[cut + len(ending) :])
        return decode_utf8(block).split(self.ending)

    def finish(self) -> list[str]:
        """The rest: nothing, or one line without end."""
        data = self._take()
        if not data:
            return []
        if self.ending is None:
            self._detect(data, final=True)
        if self.ending is not None and data.endswith(self.ending.encode()):
            data = data[: -len(self.ending)]
            return decode_utf8(data).split(self.ending)
        return [decode_utf8(data)]

    def _detect(self, data: bytes, *, final: bool) -> bool:
        match = _LINE_END.search(data)
        if match is None or (match[0] == b"\r" and match.end() == len(data) and not final):
            return False
        self.ending = match[0].decode()
        return True

    def _hold(self, data: bytes) -> None:
        if data:
            self._parts.append(data)
            self._held += len(data)
            if self._held > LINE_BYTES_MAX:
                raise SqlError(
                    Sqlstate.PROGRAM_LIMIT_EXCEEDED, f"a line of COPY data is longer than {LINE_BYTES_MAX} bytes"
                )

    def _take(self) -> bytes:
        data = b"".join(self._parts)
        self._parts.clear()
        self._held = 0
        return data
