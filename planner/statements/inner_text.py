"""The text of a statement inside a statement: what PREPARE, DECLARE and CREATE VIEW keep."""

from __future__ import annotations

import postgast

from planner.syntax.parse import ParsedStatement

_OPENERS, _CLOSERS = ("(", "["), (")", "]")


def text_after(statement: ParsedStatement, word: str) -> str:
    """Returns the text behind the first `word` outside of all parentheses; the keyword is always present."""
    data = statement.text.encode()
    depth = 0
    for token in postgast.scan(statement.text).tokens:
        text = data[token.start : token.end].decode()
        depth += (text in _OPENERS) - (text in _CLOSERS)
        if depth == 0 and text.lower() == word:
            return data[token.end :].decode().strip()
    raise AssertionError(f"a statement of this kind has the word {word}")


def text_between(statement: ParsedStatement, first: str, last: str) -> str:
    """Returns the text behind the first word `first` outside of all parentheses, up to the last word `last`."""
    text = text_after(statement, first)
    data = text.encode()
    ends = [
        token.start for token in postgast.scan(text).tokens if data[token.start : token.end].lower() == last.encode()
    ]
    assert ends, f"a statement of this kind has the word {last}"
    return data[: ends[-1]].decode().strip()
