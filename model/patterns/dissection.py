"""Finds the groups of a match: each part, from left to right, takes its longest (or shortest) match that lets the
rest match too. Only a back reference may then fail to fit, and another way is tried; such attempts are counted."""

from __future__ import annotations

from collections.abc import Iterator

from model.patterns.cases import lower
from model.patterns.scan import Scan
from model.patterns.structure import PatternPart, PatternShape
from model.patterns.syntax import Preference

Span = tuple[int, int]


class Dissection:
    """Finds the groups of one match; `spans` has them by number."""

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._text = scan.text
        if scan.program.tree.ignore_case and scan.program.tree.refers_back:
            self._text = lower(self._text)
        self.spans: dict[int, Span] = {}

    def fits(self, part: PatternPart, begin: int, end: int) -> bool:
        """Tells whether the part matches this span, known to be in its language; `spans` then has its groups."""
        if not (part.traits.captures or part.traits.refers):
            return True
        before = dict(self.spans) if part.traits.refers else {}
        self._scan.spend(1)
        match part.shape:
            case PatternShape.PLAIN:
                fits = True
            case PatternShape.REFERENCE:
                fits = self._repeats(part, begin, end)
            case PatternShape.SEQUENCE:
                fits = self._sequence(part, begin, end)
            case PatternShape.CHOICE:
                fits = any(self._matches(child, begin, end) for child in part.children)
            case PatternShape.ITERATION:
                fits = self._iteration(part, begin, end)
            case PatternShape.WRAPPED:
                fits = self.fits(part.children[0], begin, end)
        if not fits:
            self.spans = before
        elif part.group is not None:
            self.spans[part.group] = begin, end
        return fits

    def _matches(self, part: PatternPart, begin: int, end: int) -> bool:
        ends = self._scan.ends(part.language, begin, end)
        return bool(ends) and ends[-1] == end and self.fits(part, begin, end)

    def _sequence(self, part: PatternPart, begin: int, end: int) -> bool:
        """Matches parts in turn: the first part's end is the first that fits, from the longest or from the shortest."""
        first, second = part.children
        possible = set(self._scan.begins(second.language, end, begin))
        middles = [place for place in self._scan.ends(first.language, begin, end) if place in possible]
        if first.traits.preference is not Preference.SHORTER:
            middles.reverse()
        return any(self.fits(first, begin, middle) and self.fits(second, middle, end) for middle in middles)

    def _repeats(self, part: PatternPart, begin: int, end: int) -> bool:
        """Tells whether a captured text repeats over a span; an empty one may be repeated any number of times."""
        span = self.spans.get(part.referred)
        if span is None:
            return False
        least, most = part.times
        captured = self._text[span[0] : span[1]]
        if not captured:
            return begin == end
        if begin == end:
            return least == 0
        count, remainder = divmod(end - begin, len(captured))
        if remainder or count < least or (most is not None and count > most):
            return False
        self._scan.spend(end - begin)
        return self._text[begin:end] == captured * count

    def _iteration(self, part: PatternPart, begin: int, end: int) -> bool:
        """Finds a way to cut the text into as many matches of the child as are allowed, none of them empty unless the
        count needs it. A place from which `k` more matches led nowhere is not tried again."""
        (child,) = part.children
        least, most = part.times
        shortest = child.traits.preference is Preference.SHORTER
        if least == 0 and begin == end and shortest:
            return True
        needed = max(least, 1)
        allowed = end - begin if most is None else min(end - begin, most)
        cuts = _Cuts(child, end, needed, max(allowed, needed), self._scan)
        if any(self._each_fits(child, begin, ends) for ends in cuts.ways(begin)):
            return True
        return least == 0 and begin == end

    def _each_fits(self, child: PatternPart, begin: int, ends: list[int]) -> bool:
        for stop in ends:
            for number in child.numbers:
                self.spans.pop(number, None)
            if not self.fits(child, begin, stop):
                return False
            begin = stop
        return True


class _Cuts:
    """The ways to cut a text into matches of a part."""

    def __init__(self, child: PatternPart, end: int, least: int, most: int, scan: Scan) -> None:
        self._child = child
        self._end = end
        self._least = least
        self._most = most
        self._scan = scan
        self._hopeless: set[tuple[int, int]] = set()

    def ways(self, begin: int) -> Iterator[list[int]]:
        """Lists of ends, the most preferred first."""
        waiting = [self._ends(begin, 1)]
        ends: list[int] = []
        places = [begin]
        while waiting:
            self._scan.spend(1)
            place = next(waiting[-1], None)
            count = len(waiting)
            if place is None:
                waiting.pop()
                self._hopeless.add((count, places.pop()))
                if ends:
                    ends.pop()
                continue
            if place == self._end:
                if count >= self._least:
                    yield [*ends, place]
                continue
            if count < self._most and (count + 1, place) not in self._hopeless:
                ends.append(place)
                places.append(place)
                waiting.append(self._ends(place, count + 1))

    def _ends(self, begin: int, count: int) -> Iterator[int]:
        """Yields the possible ends of the iteration with this number."""
        found = self._scan.ends(self._child.language, begin, self._end)
        needed = count < self._least and self._least - count >= self._end - begin
        if found and found[0] == begin and begin != self._end and not needed:
            del found[0]
        if self._child.traits.preference is not Preference.SHORTER:
            found.reverse()
        return iter(found)
