"""Matches a bucket's keys with a pattern, segment by segment, as paths are matched. Pure.

`*`, `?` and `[…]` match within a segment, `**` any number of segments: 2026/**/*.csv matches 2026/a.csv and
2026/11/23/a.csv.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

_SIGNS = "*?["
_ANY = "**"


class KeyPattern:
    """A pattern of keys; a key may be any text."""

    def __init__(self, pattern: str) -> None:
        self._segments = pattern.split("/")
        if self._segments[-1] == _ANY:
            # All that is below, not what it is below of.
            self._segments.append("*")
        plain = min((at for sign in _SIGNS if (at := pattern.find(sign)) >= 0), default=len(pattern))
        self.prefix = pattern[:plain]
        """With which all keys begin that it matches."""

    def matches(self, key: str) -> bool:
        places = self._passed({0})
        for part in key.split("/"):
            places = self._passed({next_ for place in places for next_ in self._behind(place, part)})
        return len(self._segments) in places

    def _behind(self, place: int, part: str) -> tuple[int, ...]:
        """Returns the places in the pattern that are reached by reading `part` at `place`."""
        if place == len(self._segments):
            return ()
        segment = self._segments[place]
        if segment == _ANY:
            return (place,)
        return (place + 1,) if fnmatchcase(part, segment) else ()

    def _passed(self, places: set[int]) -> set[int]:
        """Adds the places that are reached when `**` matches no segments."""
        found = set(places)
        for place, segment in enumerate(self._segments):
            if place in found and segment == _ANY:
                found.add(place + 1)
        return found
