"""bool in text: `t` and `f` out; in, any unambiguous beginning of true, false, yes, no, on, off, and 1, 0."""

from __future__ import annotations

from model.text.failures import SPACES, invalid_syntax

_WORDS: dict[str, bool] = {
    **{word[:n]: True for word in ("true", "yes") for n in range(1, len(word) + 1)},
    **{word[:n]: False for word in ("false", "no") for n in range(1, len(word) + 1)},
    "on": True,
    "1": True,
    "of": False,
    "off": False,
    "0": False,
}


def truth_of(word: str) -> bool | None:
    """Returns what a word means, in letters of any case; None for what is no boolean."""
    return _WORDS.get(word.lower())


def parse_bool(text: str) -> bool:
    value = _WORDS.get(text)
    if value is None:
        value = truth_of(text.strip(SPACES))
    if value is None:
        raise invalid_syntax("boolean", text)
    return value


def format_bool(value: bool) -> str:
    return "t" if value else "f"
