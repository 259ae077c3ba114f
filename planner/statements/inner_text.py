"""The text of a statement inside a statement: what PREPARE, DECLARE and CREATE VIEW keep."""

from __future__ import annotations

import postgast

from planner.syntax.parse import ParsedStatement

_OPENERS, _CLOSERS = ("(", "["), (")", "]")


def text_after(statement: ParsedStatement, *words: str) -> str:
    """Returns the text behind the first `words`, in a row, outside of all parentheses; the words are always present."""
    return _parted(statement, words)[1]


def text_before(statement: ParsedStatement, word: str) -> str:
    """Returns the text before the first `word` outside of all parentheses; the word is always present."""
    return _parted(statement, (word,))[0]


def _parted(statement: ParsedStatement, words: tuple[str, ...]) -> tuple[str, str]:
    """Returns the texts before the last of the first `words`, in a row, and behind."""
    data = statement.text.encode()
    depth, before = 0, [""] * len(words)
    for token in postgast.scan(statement.text).tokens:
        text = data[token.start : token.end].decode()
        depth += (text in _OPENERS) - (text in _CLOSERS)
        before = [*before[1:], text.lower()]
        if depth == 0 and before == list(words):
            return data[: token.start].decode().strip(), data[token.end :].decode().strip()
    raise AssertionError(f"a statement of this kind has the words {' '.join(words)}")


def text_between(statement: ParsedStatement, *words: str, last: str) -> str:
    """Returns the text behind the first `words`, in a row, outside of all parentheses, up to the last word `last`."""
    text = text_after(statement, *words)
    data = text.encode()
    ends = [
        token.start for token in postgast.scan(text).tokens if data[token.start : token.end].lower() == last.encode()
    ]
    assert ends, f"a statement of this kind has the word {last}"
    return data[: ends[-1]].decode().strip()
