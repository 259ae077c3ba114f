"""Texts of dates, times and intervals cut into tokens as PostgreSQL cuts them: by their first character, and each as
long as its kind allows.

A kind says how a token looks, not what it means: a DATE may be the name of a zone (`America/New_York`, `GMT-3`), an
OFFSET a signed number of days. Blanks and other punctuation part tokens.
"""

from __future__ import annotations

import re
from collections.abc import Container
from enum import Enum, auto
from typing import NamedTuple

from model.text.failures import SPACES

_TOKENS_MAX = 25
_TOKEN = re.compile(
    r"""
      (?P<blank>[ \t\n\v\f\r!-*,;-@\[-`{-~/:]+)
    | (?P<clock>\d++:[\d:.]*+)
    | (?P<date>\d++(?P<mark>[-/.])(?:\d++(?P=mark)(?:\d|(?P=mark))*+|(?!\d)(?:[A-Za-z0-9]|(?P=mark))*+)|\d++[-/]\d++)
    | (?P<number>\d++(?:\.\d++)?|\.\d*+)
    | (?P<word>[A-Za-z]++)(?P<rest>[A-Za-z0-9+\-/_.:]*+)
    | (?P<sign>[+-])[ \t\n\v\f\r]*+(?:(?P<offset>\d[\d:.-]*+)|(?P<special>[A-Za-z]++))
    """,
    re.VERBOSE | re.ASCII,
)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


class TimeTokenKind(Enum):
    NUMBER = auto()
    DATE = auto()
    CLOCK = auto()
    OFFSET = auto()
    WORD = auto()


class TimeToken(NamedTuple):
    """A token in lower case; of an offset and a signed word the sign is part, without the blanks behind it."""

    kind: TimeTokenKind
    text: str


_KINDS = {
    "clock": TimeTokenKind.CLOCK,
    "date": TimeTokenKind.DATE,
    "number": TimeTokenKind.NUMBER,
    "offset": TimeTokenKind.OFFSET,
    "special": TimeTokenKind.WORD,
}


def tokens_of(text: str, room: int, words: Container[str], error: Exception) -> list[TimeToken]:
    """Cuts a text; raises `error` for one that is no sequence of tokens, has too many, or whose tokens fill more than
    `room` characters with one more for each. A word of `words` ends before a digit and before a plus sign; any other
    goes on as a zone's name would."""
    tokens: list[TimeToken] = []
    position = used = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or (len(tokens) >= _TOKENS_MAX and match[0].strip(SPACES)):
            raise error
        position, group = match.end(), match.lastgroup
        if group == "blank":
            continue
        if group == "rest":
            token = _word(match["word"].lower(), match["rest"].lower(), words)
            position = match.start() + len(token.text)
        else:
            assert group is not None
            token = TimeToken(_KINDS[group], ((match["sign"] or "") + match[group]).lower())
        used += len(token.text)
        if used > room:
            raise error
        used += 1
        tokens.append(token)
    return tokens


def _word(word: str, rest: str, words: Container[str]) -> TimeToken:
    if rest[:1] in ("-", "/", ".") or (rest[:1] not in ("", "_", ":") and word not in words):
        return TimeToken(TimeTokenKind.DATE, word + rest)
    return TimeToken(TimeTokenKind.WORD, word)


def integer_at(text: str, position: int = 0) -> tuple[int, int]:
    """Returns the integer that begins at a position, and where it ends; 0 and the same position where there is
    none."""
    match = _INTEGER.match(text, position)
    return (0, position) if match is None else (int(match[0]), match.end())


def micros_of_fraction(digits: str) -> int:
    """Returns the microseconds of a second's decimals, rounded; up to a million."""
    return round(float(f"0.{digits}") * 1_000_000) if digits else 0
