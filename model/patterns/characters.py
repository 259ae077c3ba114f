"""Sets of characters, by their codes. Classes and cases are those of C.UTF-8, where digits are ASCII's."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property

from model.patterns import letter_tables
from model.patterns.cases import TO_LOWER, TO_UPPER, Range, ranges

CODE_MAX = 0x7FFFFFFE
_ASCII_COUNT = 128


def _merged(ranges: Iterable[Range]) -> tuple[Range, ...]:
    merged: list[Range] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(merged[-1][1], last)
        else:
            merged.append((first, last))
    return tuple(merged)


class Characters:
    """The characters of some ranges. Codes above Unicode's may be in a set; no text has them."""

    def __init__(self, ranges: Iterable[Range] = ()) -> None:
        self.ranges = _merged(ranges)

    def __contains__(self, character: str) -> bool:
        code = ord(character)
        if code < _ASCII_COUNT:
            return bool(self._ascii >> code & 1)
        index = bisect_right(self._firsts, code) - 1
        return index >= 0 and code <= self.ranges[index][1]

    def __or__(self, other: Characters) -> Characters:
        return Characters((*self.ranges, *other.ranges))

    def __invert__(self) -> Characters:
        """Returns the set of all other characters."""
        ends = [-1, *(edge for first, last in self.ranges for edge in (first, last)), CODE_MAX + 1]
        return Characters((low + 1, high - 1) for low, high in zip(ends[::2], ends[1::2]) if low + 1 <= high - 1)

    def in_both_cases(self) -> Characters:
        """Returns the set with the other cases of each letter, as PostgreSQL reads a range when case is ignored."""
        others = [other for cases in (TO_UPPER, TO_LOWER) for code, other in cases.items() if chr(code) in self]
        return Characters((*self.ranges, *zip(others, others, strict=True)))

    @property
    def only(self) -> str | None:
        """Returns the single character of a set that has only one; None otherwise."""
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1] and self.ranges[0][0] <= 0x10FFFF:
            return chr(self.ranges[0][0])
        return None

    @cached_property
    def _ascii(self) -> int:
        bits = 0
        for first, last in self.ranges:
            for code in range(first, min(last, _ASCII_COUNT - 1) + 1):
                bits |= 1 << code
        return bits

    @cached_property
    def _firsts(self) -> list[int]:
        return [first for first, _ in self.ranges]


def one_of(text: str) -> Characters:
    """Returns the characters of a text."""
    return Characters((ord(character), ord(character)) for character in text)


def in_its_cases(code: int) -> Characters:
    """Returns a character's lower and upper case, without itself where it is neither (ǅ), as PostgreSQL does."""
    cases = {TO_LOWER.get(code, code), TO_UPPER.get(code, code)}
    return Characters((case, case) for case in cases)


EVERY = ~Characters()
NEWLINE = one_of("\n")
_DIGIT = Characters([(ord("0"), ord("9"))])
_ALPHA, _SPACE = Characters(ranges(letter_tables.ALPHA)), Characters(ranges(letter_tables.SPACE))
_ALNUM, _PUNCTUATION = _ALPHA | _DIGIT, Characters(ranges(letter_tables.PUNCT))
WORD = _ALNUM | one_of("_")
CLASSES = {
    "alpha": _ALPHA,
    "digit": _DIGIT,
    "alnum": _ALNUM,
    "upper": Characters(ranges(letter_tables.UPPER)),
    "lower": Characters(ranges(letter_tables.LOWER)),
    "space": _SPACE,
    "blank": one_of(" \t"),
    "punct": _PUNCTUATION,
    "print": Characters(ranges(letter_tables.PRINT)),
    "graph": _ALNUM | _PUNCTUATION,
    "cntrl": Characters(ranges(letter_tables.CNTRL)),
    "xdigit": _DIGIT | Characters([(ord("A"), ord("F")), (ord("a"), ord("f"))]),
    "ascii": Characters([(0, 127)]),
    "word": WORD,
}
CLASSES_IN_BOTH_CASES = {**CLASSES, "upper": _ALPHA, "lower": _ALPHA}
ESCAPED_CLASSES = {"d": _DIGIT, "s": _SPACE, "w": WORD}

_NAMES_IN_ORDER = """
NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC IS4 IS3 IS2 IS1
space exclamation-mark quotation-mark number-sign dollar-sign percent-sign ampersand apostrophe left-parenthesis
right-parenthesis asterisk plus-sign comma hyphen period slash zero one two three four five six seven eight nine
colon semicolon less-than-sign equals-sign greater-than-sign question-mark commercial-at
"""
_NAMES_APART = """
alert:7 backspace:8 tab:9 newline:10 vertical-tab:11 form-feed:12 carriage-return:13 FS:28 GS:29 RS:30 US:31
hyphen-minus:45 full-stop:46 solidus:47 left-square-bracket:91 backslash:92 reverse-solidus:92 right-square-bracket:93
circumflex:94 circumflex-accent:94 underscore:95 low-line:95 grave-accent:96 left-brace:123 left-curly-bracket:123
vertical-line:124 right-brace:125 right-curly-bracket:125 tilde:126 DEL:127
"""
_NAMED = {name: code for code, name in enumerate(_NAMES_IN_ORDER.split())}
_NAMED |= {name: int(code) for name, _, code in (pair.partition(":") for pair in _NAMES_APART.split())}


def element(name: str) -> int | None:
    """Returns the code of a collating element: a character, or the name that POSIX gives it."""
    return ord(name) if len(name) == 1 else _NAMED.get(name)
