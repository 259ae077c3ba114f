"""Types of lists and maps in a message: where a type stands, how far it goes, what PostgreSQL's grammar gets of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.errors import NotSupported
from planner.syntax.identifiers import RESERVED
from planner.syntax.member_words import MemberWords
from planner.syntax.pieces import TYPE_ROOM, type_name_at
from planner.syntax.segments import Word

_TYPES = """
    bigint bit boolean char character dec decimal float int integer interval national nchar numeric real smallint time
    timestamp varchar
"""
_TYPE_WORDS = frozenset(_TYPES.split())
_LONGER_NAMES = (
    ("precision",),
    ("varying",),
    ("with", "time", "zone"),
    ("without", "time", "zone"),
)
_KEYS = (["text"], ["string"])
_NO_KEY = "maps whose keys are of another type than text"


@dataclass(frozen=True, slots=True)
class TypeShape:
    """What stands behind a type's name: `list` and `[]`, in order, as "list" and "array". `value` is the TypeName of a
    map's values, of which `map` is the name."""

    value: Any
    suffixes: tuple[str, ...]


class TypeTaker:
    """`found` is by the byte at which the type's name begins."""

    def __init__(self, words: MemberWords) -> None:
        self._words = words
        self.found: dict[int, TypeShape] = {}

    def stands(self, at: int, opened: list[int]) -> bool:
        """Whether a type is what the word at `at` must begin; `opened` has the brackets that are open there."""
        if at < 2:
            return False
        before = self._words.words[at - 1]
        if before.text == "::":
            return True
        if before.lower == "as":
            return bool(opened) and self._words.lower(opened[-1] - 1) == "cast"
        if not _names(before):
            return False
        behind = self._words.lower(at - 2)
        return behind == "column" or (behind in ("(", ",") and bool(opened)) or (before.lower == "type" and at > 3)

    def take(self, at: int) -> int | None:
        """Where the type that begins at `at` ends; None when there is none. It is written as a name alone."""
        if self._words.lower(at) == "map" and self._words.lower(at + 1) == "[":
            end, value = self._map(at)
        else:
            end, value = self._name_end(at), None
        if end is None:
            return None
        suffixes, stop = self._suffixes(end)
        first = at + 1 if value is not None else end
        if value is not None or "list" in suffixes:
            self.found[self._words.words[at].start] = TypeShape(value, suffixes)
            if stop > first:
                self._words.segment.blank(self._words.words[first].start, self._words.words[stop - 1].end)
        return stop

    def _map(self, at: int) -> tuple[int | None, Any]:
        """Where `map[key=>value]` ends, and the TypeName of its values."""
        key = self._name_end(at + 2)
        if key is None or self._words.lower(key) != "=>":
            return None, None
        end = self.take(key + 1)
        if end is None or self._words.lower(end) != "]" or self._words.words[key + 1].start < TYPE_ROOM:
            return None, None
        if [word.lower for word in self._words.words[at + 2 : key]] not in _KEYS:
            raise NotSupported(_NO_KEY, position=self._words.position(at + 2))
        text = self._words.segment.data.decode()
        return end + 1, type_name_at(text, self._words.words[key + 1].start, self._words.words[end - 1].end)

    def _name_end(self, at: int) -> int | None:
        if at >= len(self._words.words) or not (_names(self._words.words[at]) or self._words.lower(at) in _TYPE_WORDS):
            return None
        end = at + 1
        while self._words.lower(end) == "." and end + 1 < len(self._words.words):
            end += 2
        end = self._longer(end)
        if self._words.lower(end) == "(":
            close = self._words.closing(end)
            if close is None:
                return None
            end = close + 1
        return self._longer(end)

    def _longer(self, end: int) -> int:
        for words in _LONGER_NAMES:
            if self._words.segment.starts(end, *words):
                return end + len(words)
        return end

    def _suffixes(self, at: int) -> tuple[tuple[str, ...], int]:
        found: list[str] = []
        while True:
            if self._words.lower(at) == "list":
                found.append("list")
                at += 1
                continue
            close = self._words.closing(at) if self._words.lower(at) == "[" else None
            length = "" if close is None or close == at + 1 else self._words.lower(at + 1)
            if close is None or close > at + 2 or not (length == "" or length.isdigit()):
                return tuple(found), at
            found.append("array")
            at = close + 1


def _names(word: Word) -> bool:
    return word.text[:1] == '"' or ((word.text[:1].isalpha() or word.text[:1] == "_") and word.lower not in RESERVED)
