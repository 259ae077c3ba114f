"""Parts of the text of a record or a range: plain, behind a backslash, or in double quotes, until a delimiter."""

from __future__ import annotations

import re
from collections.abc import Callable

from model.errors.sql_error import SqlError

_NOT_PLAIN = r'\\.|"(?:[^"\\]|\\.|"")*"'
"""The pattern of a piece that is not plain."""
_QUOTED_PIECE = re.compile(r'\\(.)|""', re.DOTALL)


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
