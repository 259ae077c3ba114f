"""Documents, questions, tsvectors and tsqueries as text, drawn at random: right ones, and some that are wrong."""

from __future__ import annotations

import random

_FRAGMENTS = (
    *("foo", "bar-baz", "http://www.example.com/a/b?c=d", "user@host.com", "/usr/local/lib", "1.2.3", "1e5", "-12"),
    *("+3.4e-5", "<b>", "</b>", "<script>", "</script>", "<style x='a>'>", "</style>", "<!-- c -->", "<!DOCTYPE x>"),
    *("<?xml a?>", "&amp;", "&#123;", "&#x1F;", "é", "naïve-été", "x1y2", "a_b", "_", "-", "--", "..", "../a/b", "~/x"),
    *("~", "'", '"', "\\", "@", "a@b", "a.b", "a.bc:80/x", "12-34", "1-a", "a-1", "a-1b-c", "été-1a", "1.5.x", "3.4"),
    *("$", "%", "日本", "\u093e", "\u0301", "\u00a0", " ", "  ", "\n", "\t", ".", "!", "?", "(", ")", "[", "{", "|"),
    *("^", "`", ";", ":", ",", "=", "#", "*", "+", "/", "&", "<", ">", "e", "E", "x", "0", "5", "wow's", "don't"),
    *("www.a-b.co.uk", "ftp://x", "C:\\x", "foo/bar", "6-7.8", "5aew.werc.ewr:8100/?xx", "ab_c@d_e.com", "1.23e"),
    *('<a href="b\\"c">', "<br/>", "<a", "</", "<1>", "a<b", "a&b;", "teodor@123-stack.net", "-15.67.8", "+1.2.3"),
    *("e.rg/\"", "http://e.rg/", "x.com/>", "a.bc/{", "12.34.56a", "1a.2b.3c"),
)  # fmt: skip
_LETTERS = "ab1.-_@/:<>&;é ~'\"\\+e!?=#"
_WORDS = (
    *("the", "cats", "Running", "happily", "foo-bar", "post-war", "user@example.com", "http://a.bc/d", "12.5", "-3"),
    *("and", "of", "ponies", "generously", "été", "don't", "X1", "a", "rats'", "<b>", "flies", "skiing", "news"),
)
_STEMS = ("cat", "run", "happili", "foo-bar", "war", "poni", "été", "ski", "new", "fli", "a", "x1", "b", "rat:*")
_ASKED = (
    *_WORDS,
    "or",
    "OR",
    "-",
    "-cats",
    '"fat cat"',
    '"',
    '-"the dog"',
    "!",
    "(",
    ")",
    "&",
    "|",
    "<",
    "orange",
    ":",
)
_LEXEMES = ("a", "b", "c", "ab", "abc", "é", "'x y'", "zz", "'it''s'", "a\\:b")
_PLACES = ("", "", ":1", ":2", ":3", ":1,2", ":2A", ":3B,5C", ":16383", ":4D,4A", ":5", ":6C", ":0", ":99999999999")
_MARKS = ("", "", "", ":*", ":A", ":AB", ":*CD", ":D")
_SIGNS = (" & ", " | ", " <-> ", " <2> ", "<0>", "<3>")


class DrawnTexts:
    """Draws texts from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def _pieces(self, pieces: str | tuple[str, ...], most: int, between: str = "") -> str:
        return between.join(self._random.choice(pieces) for _ in range(self._random.randint(0, most)))

    def odd_document(self) -> str:
        """A text in which tokens of all types stand close together."""
        kind = self._random.random()
        if kind < 0.7:
            return self._pieces(_FRAGMENTS, 8)
        if kind < 0.9:
            return self._pieces(_LETTERS, 25)
        codes = [
            self._random.choice((self._random.randint(1, 127), self._random.randint(128, 0x3000))) for _ in range(9)
        ]
        return "".join(map(chr, codes))

    def document(self) -> str:
        """A text of words."""
        return self._pieces(_WORDS, 9, self._random.choice((" ", ", ", ". ")))

    def question(self) -> str:
        """A text as to a search engine."""
        return self._pieces(_ASKED, 8, " ")

    def query_of_words(self) -> str:
        """A text as to to_tsquery: often wrong."""
        sign, end = self._random.choice((*_SIGNS, "", " ")), self._random.choice((*_MARKS, ")"))
        return self._random.choice(("", "!", "(")) + self.document() + sign + self._random.choice(_WORDS) + end

    def vector(self) -> str:
        """A text as of a tsvector."""
        if self._random.random() < 0.1:
            return self._pieces("ab'\\:1,AD ", 9)
        count = self._random.randint(0, 7)
        return " ".join(self._random.choice(_LEXEMES) + self._random.choice(_PLACES) for _ in range(count))

    def query_of_documents(self) -> str:
        """A tsquery that a document may match."""
        count = self._random.randint(1, 4)
        parts = [self._random.choice(("", "", "", "!")) + self._random.choice(_STEMS) for _ in range(count)]
        return self._random.choice((" & ", " | ", " <-> ", " <2> ")).join(parts)

    def query(self, depth: int = 0) -> str:
        """A text as of a tsquery."""
        kind = self._random.random()
        if depth == 0 and kind < 0.1:
            return self._pieces("ab&|!()<->2:*A' ", 9)
        if kind < 0.4 or depth > 4:
            return self._random.choice(_LEXEMES) + self._random.choice(_MARKS)
        if kind < 0.55:
            return "!" + self.query(depth + 1)
        if kind < 0.7:
            return "(" + self.query(depth + 1) + ")"
        return self.query(depth + 1) + self._random.choice(_SIGNS) + self.query(depth + 1)
