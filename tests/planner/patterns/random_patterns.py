"""Random regular expressions, texts that some of them match, and calls of the functions that take both."""

from __future__ import annotations

import random
from collections.abc import Iterator

_LETTERS = "aab1_ B\näÄǅſ"
_SETS = (
    ".",
    "[ab]",
    "[^a]",
    "[a-b1]",
    "[[:alpha:]]",
    "[[:upper:]]",
    "[ß-ü]",
    "[^ä]",
    "[^[:digit:]b]",
    "\\w",
    "\\d",
    "\\s",
    "\\W",
    "[\\w]",
    "[^\\D]",
)
_PLACES = ("^", "$", "\\A", "\\Z", "\\m", "\\M", "\\y", "\\Y")
_QUANTIFIERS = ("*", "+", "?", "{2}", "{1,2}", "{0,3}", "{1}", "{0}", "{1,}", "{2,}", "{1,1}", "{0,1}")
_FLAGS = ("", "", "", "", "i", "n", "p", "w", "x", "s", "e", "b", "q")
_TORN = "ab()[]{}*+?|\\^$.1,-:=<>!#\n dmMyYwx0"


class _Writer:
    def __init__(self, randomness: random.Random) -> None:
        self._randomness = randomness
        self._groups = 0

    def choice(self, depth: int, looking: bool = False) -> str:
        count = self._randomness.choice((1, 1, 1, 2, 2, 3))
        return "|".join(self._branch(depth, looking) for _ in range(count))

    def _branch(self, depth: int, looking: bool) -> str:
        return "".join(self._part(depth, looking) for _ in range(self._randomness.choice((0, 1, 1, 2, 2, 3, 3, 4))))

    def _part(self, depth: int, looking: bool) -> str:
        draw = self._randomness.random()
        if draw < 0.06:
            return self._randomness.choice(_PLACES)
        if draw < 0.1 and depth:
            opening = self._randomness.choice(("(?=", "(?!", "(?<=", "(?<!"))
            return f"{opening}{self.choice(depth - 1, True)})"
        return self._atom(depth, looking) + self._quantifier()

    def _atom(self, depth: int, looking: bool) -> str:
        draw = self._randomness.random()
        if draw < 0.3 and depth:
            if self._randomness.random() < 0.3:
                return f"(?:{self.choice(depth - 1, looking)})"
            if not looking:
                self._groups += 1
            return f"({self.choice(depth - 1, looking)})"
        if draw < 0.38 and self._groups:
            return f"\\{self._randomness.randint(1, self._groups)}"
        if draw < 0.55:
            return self._randomness.choice(_SETS)
        return self._randomness.choice(_LETTERS)

    def _quantifier(self) -> str:
        if self._randomness.random() < 0.55:
            return ""
        return self._randomness.choice(_QUANTIFIERS) + self._randomness.choice(("", "", "?"))


def _similar(randomness: random.Random) -> str:
    """A pattern of SUBSTRING … SIMILAR: three parts, marked by the escape character."""
    words = ("a", "b", "_", "%", "1", "(a|b)", "[ab]", "a*", "b+", "a?", "a{2}", "#_", "(ab|_)*")
    parts = ["".join(randomness.choices(words, k=randomness.choice((0, 1, 1, 2, 3)))) for _ in range(3)]
    return '#"'.join(parts)


def random_pattern(randomness: random.Random) -> str:
    """Mostly one that can be read."""
    if randomness.random() < 0.1:
        return "".join(randomness.choices(_TORN, k=randomness.randint(1, 8)))
    return _Writer(randomness).choice(3)


def random_text(randomness: random.Random) -> str:
    return "".join(randomness.choices(_LETTERS, k=randomness.choice((0, 1, 2, 3, 4, 6, 9))))


Call = tuple[str, tuple[str | int, ...]]
"""A function's name and its arguments."""


def random_calls(randomness: random.Random) -> Iterator[Call]:
    """Calls with one pattern."""
    pattern, flags = random_pattern(randomness), randomness.choice(_FLAGS)
    texts = tuple(random_text(randomness) for _ in range(3))
    for text in texts:
        yield "regexp_matches", (text, pattern, flags + "g")
        yield "~", (text, pattern)
    text = texts[0]
    yield "!~*", (text, pattern)
    yield "regexp_match", (text, pattern, flags)
    yield "substring", (text, pattern)
    yield "regexp_replace", (text, pattern, r"<\1\&\2\\>", flags + "g")
    yield "regexp_split_to_array", (text, pattern)
    start, number = randomness.randint(1, 3), randomness.randint(1, 3)
    yield "regexp_replace", (text, pattern, "<>", start, randomness.randint(0, 2))
    yield "regexp_count", (text, pattern, start)
    yield "regexp_instr", (text, pattern, start, number, randomness.randint(0, 1), "", randomness.randint(0, 2))
    yield "regexp_substr", (text, pattern, start, number, "", randomness.randint(0, 2))
    similar = _similar(randomness)
    yield "substring similar", (text, similar, "#")
    yield "similar to", (text, similar.replace('#"', ""))
    yield (
        randomness.choice(("like", "ilike")),
        (text, "".join(randomness.choices("%_aB1\n%a", k=randomness.randint(0, 6)))),
    )
