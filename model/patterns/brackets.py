"""Bracket expressions: `[a-z[:digit:]\\s-]`, `[^]x]`."""

from __future__ import annotations

from model.patterns.characters import (
    CLASSES,
    CLASSES_IN_BOTH_CASES,
    ESCAPED_CLASSES,
    NEWLINE,
    Characters,
    element,
    in_its_cases,
)
from model.patterns.escapes import escaped_character
from model.patterns.failures import BRACKETS, CLASS, ELEMENT, ESCAPE, RANGE, invalid
from model.patterns.pattern_options import PatternOptions, Syntax


class BracketReader:
    """Parses one bracket expression. `position` is behind its opening bracket, and after `read` behind its end."""

    def __init__(self, pattern: str, position: int, options: PatternOptions) -> None:
        self._pattern = pattern
        self.position = position
        self._options = options

    def read(self) -> Characters:
        """Returns the set, with both cases where case is ignored."""
        negated = self._pattern.startswith("^", self.position)
        self.position += negated
        found = Characters()
        first = True
        while first or not self._pattern.startswith("]", self.position):
            found |= self._item(first)
            first = False
        self.position += 1
        if negated:
            return ~(found | NEWLINE) if self._options.dot_stops else ~found
        return found

    def _item(self, first: bool) -> Characters:
        pattern = self._pattern
        if self._is_range(first):
            raise invalid(RANGE)
        if pattern.startswith("[=", self.position):
            return one(self._element(self._named("=")), self._options)
        if pattern.startswith("[:", self.position):
            name = self._named(":")
            if name not in CLASSES:
                raise invalid(CLASS)
            return (CLASSES_IN_BOTH_CASES if self._options.ignore_case else CLASSES)[name]
        if pattern.startswith("\\", self.position) and self._options.syntax is Syntax.ADVANCED:
            letter = pattern[self.position + 1 : self.position + 2]
            if letter and letter.lower() in ESCAPED_CLASSES:
                self.position += 2
                return ESCAPED_CLASSES[letter] if letter.islower() else ~ESCAPED_CLASSES[letter.lower()]
        start = self._end_of_range()
        if not self._is_range(False):
            return one(start, self._options)
        self.position += 1
        if pattern.startswith(("[=", "[:"), self.position):
            raise invalid(RANGE)
        stop = self._end_of_range()
        if stop < start:
            raise invalid(RANGE)
        found = Characters([(start, stop)])
        return found.in_both_cases() if self._options.ignore_case else found

    def _is_range(self, first: bool) -> bool:
        """Tells whether the hyphen here makes a range."""
        pattern, position = self._pattern, self.position
        return pattern.startswith("-", position) and not first and not pattern.startswith("]", position + 1)

    def _end_of_range(self) -> int:
        pattern = self._pattern
        if self.position >= len(pattern):
            raise invalid(BRACKETS)
        if pattern.startswith("[.", self.position):
            return self._element(self._named("."))
        character = pattern[self.position]
        self.position += 1
        if character == "[" and self.position >= len(pattern):
            raise invalid(BRACKETS)
        if character != "\\" or self._options.syntax is not Syntax.ADVANCED:
            return ord(character)
        if pattern[self.position : self.position + 1].lower() in ESCAPED_CLASSES and self.position < len(pattern):
            raise invalid(RANGE)
        code, self.position = escaped_character(pattern, self.position)
        if code is None:
            raise invalid(ESCAPE)
        return code

    def _named(self, mark: str) -> str:
        """Returns the name between `[:` and `:]`."""
        end = self._pattern.find(mark + "]", self.position + 2)
        if end < 0:
            raise invalid(BRACKETS)
        name = self._pattern[self.position + 2 : end]
        self.position = end + 2
        if not name:
            raise invalid(CLASS if mark == ":" else ELEMENT)
        return name

    @staticmethod
    def _element(name: str) -> int:
        code = element(name)
        if code is None:
            raise invalid(ELEMENT)
        return code


def one(code: int, options: PatternOptions) -> Characters:
    """Returns the set of one character, in both cases where case is ignored."""
    return in_its_cases(code) if options.ignore_case else Characters([(code, code)])
