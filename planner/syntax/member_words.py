"""The words of a message as those who take lists and maps out of it look at them: with brackets, from any place."""

from __future__ import annotations

from collections.abc import Iterator

from planner.syntax.segments import CLOSERS, OPENERS, Segment, Word


class MemberWords:
    """Places are indexes of words; beyond the last there are empty ones."""

    def __init__(self, sql: str, words: list[Word]) -> None:
        self.words = words
        self.segment = Segment(bytearray(sql.encode()), words)

    def position(self, at: int) -> int:
        """Of a word, in characters from 1."""
        return len(self.segment.data[: self.words[at].start].decode()) + 1

    def lower(self, at: int) -> str:
        return self.words[at].lower if 0 <= at < len(self.words) else ""

    def closing(self, at: int) -> int | None:
        """Where the bracket that opens at `at` closes."""
        depth = 0
        for index in range(at, len(self.words)):
            depth += (self.words[index].text in OPENERS) - (self.words[index].text in CLOSERS)
            if depth == 0:
                return index
        return None

    def members(self, opening: int, close: int) -> Iterator[tuple[int, int]]:
        """The words of each member, from the first until before the second."""
        start = opening + 1
        depth = 0
        for index in range(start, close):
            word = self.words[index].text
            depth += (word in OPENERS) - (word in CLOSERS)
            if depth == 0 and word == ",":
                yield start, index
                start = index + 1
        if close > opening + 1:
            yield start, close

    def outside(self, text: str, first: int, end: int) -> int | None:
        """The first of these words that is `text`, outside all brackets."""
        depth = 0
        for index in range(first, end):
            word = self.words[index].text
            if depth == 0 and word == text:
                return index
            depth += (word in OPENERS) - (word in CLOSERS)
        return None
