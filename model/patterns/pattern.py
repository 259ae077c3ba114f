"""PostgreSQL's regular expressions: whether, where and how a text matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.patterns.dissection import Dissection
from model.patterns.failures import hopeless
from model.patterns.program import Program, program
from model.patterns.scan import Scan

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A match: the span of the whole match in the text, and the spans of its groups, None for groups that took no
    part."""

    text: str
    span: Span
    groups: tuple[Span | None, ...]

    def group(self, number: int) -> str | None:
        """Returns the text of a group, 0 being the whole match."""
        span = self.span if number == 0 else self.groups[number - 1]
        return None if span is None else self.text[span[0] : span[1]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed pattern. No text makes it run longer than the text's length allows: it raises 2201B then."""

    _program: Program

    @property
    def group_count(self) -> int:
        return self._program.groups

    def matches(self, text: str) -> bool:
        """Tells whether any part of the text matches."""
        return next(self.find(text), None) is not None if self._program.tree.refers_back else self._occurs(text)

    def find(self, text: str, start: int = 0) -> Iterator[PatternMatch]:
        """Yields the matches from `start` on; behind an empty one the search goes on a character further."""
        scan = Scan(self._program, text)
        while start <= len(text):
            try:
                found = _found(scan, start)
            except RecursionError:
                raise hopeless() from None
            if found is None:
                return
            yield found
            begin, end = found.span
            start = end if end > begin else end + 1

    def _occurs(self, text: str) -> bool:
        return Scan(self._program, text).first_end(0) is not None


def compile_pattern(pattern: str, flags: str = "") -> Pattern:
    """Compiles a pattern for searches; raises 2201B when it isn't valid, 22023 for unknown flags (such as `g`)."""
    return Pattern(program(pattern, flags))


def _found(scan: Scan, start: int) -> PatternMatch | None:
    program, text = scan.program, scan.text
    if program.tree.refers_back:
        return _found_with_references(scan, start)
    close = scan.first_end(start)
    if close is None:
        return None
    begin = scan.first_start(*close)
    ends = scan.ends(program.part.language, begin, len(text))
    end = ends[0] if program.shortest else ends[-1]
    if not program.groups:
        return PatternMatch(text, (begin, end), ())
    dissection = Dissection(scan)
    assert dissection.fits(program.part, begin, end)
    return _with_groups(dissection, scan, begin, end)


def _found_with_references(scan: Scan, start: int) -> PatternMatch | None:
    """Finds a match of a pattern with back references: every place at which a match may begin is tried, with every
    end; the very last place of a text is not looked at once a place before it was tried in vain, as in PostgreSQL."""
    program = scan.program
    while (close := scan.first_end(start)) is not None:
        for begin in range(close[0], close[1] + 1):
            ends = scan.ends(program.part.language, begin, len(scan.text))
            for end in ends if program.shortest else reversed(ends):
                dissection = Dissection(scan)
                if dissection.fits(program.part, begin, end):
                    return _with_groups(dissection, scan, begin, end)
        start = close[1] + 1
        if start >= len(scan.text):
            return None
    return None


def _with_groups(dissection: Dissection, scan: Scan, begin: int, end: int) -> PatternMatch:
    numbers = range(1, scan.program.groups + 1)
    return PatternMatch(scan.text, (begin, end), tuple(dissection.spans.get(number) for number in numbers))
