"""LIKE, ILIKE, SIMILAR TO and the matching operators ~ ~* !~ !~*."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TypeVar

from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.patterns.cases import lower
from model.patterns.pattern import compile_pattern
from model.types.scalar_type import BOOL, BPCHAR, BYTEA, TEXT, ScalarType, length_limit
from planner.functions.rows import function, key_of, operator
from planner.functions.signature import Function

T = TypeVar("T", str, bytes)


@dataclass(frozen=True, slots=True)
class _LikePattern:
    """A compiled LIKE pattern.

    `pieces`: the parts between %; each matches one length only, so nothing is tried twice
    `open_ended`: an escape character at the end escapes nothing
    `wild`: the number of last pieces that consist of _ only
    """

    pieces: tuple[re.Pattern[str], ...]
    open_ended: bool
    wild: int


@lru_cache(maxsize=1024)
def _like_pattern(pattern: str) -> _LikePattern:
    pieces: list[list[str]] = [[]]
    open_ended = False
    characters = iter(pattern)
    for character in characters:
        match character:
            case "%":
                pieces.append([])
            case "_":
                pieces[-1].append(".")
            case "\\":
                escaped = next(characters, None)
                if escaped is None:
                    open_ended = True
                else:
                    pieces[-1].append(re.escape(escaped))
            case _:
                pieces[-1].append(re.escape(character))
    last = len(pieces) - 1
    ends = [r"\Z" if at == last and not open_ended else "" for at in range(len(pieces))]
    compiled = tuple(re.compile("".join([*p, end]), re.DOTALL) for p, end in zip(pieces, ends, strict=True))
    wild = sum(1 for _ in takewhile(lambda piece: set(piece) <= {"."}, reversed(pieces[1:])))
    return _LikePattern(compiled, open_ended, wild)


def like(text: str, pattern: str) -> bool:
    """Matches LIKE: % stands for any text, _ for any character; after a backslash, the next character stands for
    itself.

    Pieces of the pattern between % are placed from left to right: the first piece at the start, the last at the end,
    each piece between at the first place behind its predecessor, which leaves most for later pieces. An escape
    character at the pattern's end is an error (22025), but only for texts that reach the pattern's end.
    """
    like_pattern = _like_pattern(pattern)
    ends = [0]
    for piece in like_pattern.pieces:
        found = piece.match(text) if len(ends) == 1 else piece.search(text, ends[-1])
        if found is None:
            return False
        ends.append(found.end())
    if like_pattern.open_ended and ends[-1 - like_pattern.wild] < len(text):
        raise SqlError(Sqlstate.INVALID_ESCAPE_SEQUENCE, "LIKE pattern must not end with escape character")
    return not like_pattern.open_ended


def ilike(text: str, pattern: str) -> bool:
    """Matches like LIKE, ignoring the case of letters."""
    return like(lower(text), lower(pattern))


def like_escape(pattern: str, escape: str) -> str:
    """Returns the pattern of LIKE … ESCAPE with backslashes as escapes."""
    if len(escape) > 1:
        raise _invalid_escape()
    if escape == "\\":
        return pattern
    if not escape:
        return pattern.replace("\\", "\\\\")
    pieces: list[str] = []
    escaped = False
    for character in pattern:
        if character == escape and not escaped:
            pieces.append("\\")
            escaped = True
        elif character == "\\" and not escaped:
            pieces.append("\\\\")
        else:
            pieces.append(character)
            escaped = False
    return "".join(pieces)


def _invalid_escape() -> SqlError:
    hint = "Escape string must be empty or one character."
    return SqlError(Sqlstate.INVALID_ESCAPE_SEQUENCE, "invalid escape string", hint=hint)


_SIMILAR = {"%": ".*", "_": ".", "(": "(?:"}
_LITERAL_IN_SIMILAR = frozenset("\\.^$")
_FIRST, _WITHIN = 1, 3
"""Places in a bracket: its first, where a ^ negates, and those from which on a ] closes it."""


def similar_to_escape(pattern: str, escape: str = "\\") -> str:
    """Returns the regular expression of SIMILAR TO's pattern; `escape` with a double quote marks the part SUBSTRING
    takes."""
    if len(escape) > 1:
        raise _invalid_escape()
    pieces = ["^(?:"]
    escaped = False
    depth = place = quotes = 0
    for character in pattern:
        if escaped:
            if character == '"' and not depth:
                if quotes > 1:
                    message = "SQL regular expression may not contain more than two escape-double-quote separators"
                    raise SqlError(Sqlstate.INVALID_USE_OF_ESCAPE_CHARACTER, message)
                pieces.append("){1,1}?(" if quotes == 0 else "){1,1}(?:")
                quotes += 1
            else:
                pieces.append("\\" + character)
                place = _WITHIN
            escaped = False
        elif escape and character == escape:
            escaped = True
        elif depth:
            pieces.append("\\\\" if character == "\\" else character)
            depth, place = _in_bracket(character, depth, place)
        elif character == "[":
            pieces.append("[")
            depth, place = 1, _FIRST
        elif character in _LITERAL_IN_SIMILAR:
            pieces.append("\\" + character)
        else:
            pieces.append(_SIMILAR.get(character, character))
    pieces.append(")$")
    return "".join(pieces)


def _in_bracket(character: str, depth: int, place: int) -> tuple[int, int]:
    """Returns the depth of brackets after a character within them, and the place of the next one in its bracket: a ]
    that comes first, or after a first ^, closes nothing, and [:digit:] has brackets of its own."""
    if character == "]" and place >= _WITHIN:
        return depth - 1, place
    if character == "[":
        return depth + 1, _WITHIN
    return depth, place + 1 if character == "^" else _WITHIN


def _similar_to_escape(pattern: str | None, escape: str | None) -> str | None:
    """Turns a SIMILAR TO pattern into a regular expression; NULL for a NULL pattern or a NULL escape."""
    return None if pattern is None or escape is None else similar_to_escape(pattern, escape)


def _similar_escape(pattern: str | None, escape: str | None) -> str | None:
    """Converts a SIMILAR TO pattern; a NULL escape is the default one."""
    if pattern is None:
        return None
    return similar_to_escape(pattern) if escape is None else similar_to_escape(pattern, escape)


def _matcher(flags: str) -> Callable[[str, str], bool]:
    return lambda text, pattern: compile_pattern(pattern, flags).matches(text)


def _not(decide: Callable[[T, T], bool]) -> Callable[[T, T], bool]:
    return lambda text, pattern: not decide(text, pattern)


def _padded(decide: Callable[[str, str], bool]) -> Callable[[tuple[ScalarType, ...], str, str], bool]:
    """Pads char(n) for matching: its blanks count, and datums stored long ago don't have them."""
    return lambda types, text, pattern: decide(text.ljust(length_limit(types[0]) or 0), pattern)


def _of_bytes(decide: Callable[[str, str], bool]) -> Callable[[bytes, bytes], bool]:
    """Matches bytes as the characters of the same numbers."""
    return lambda value, pattern: decide(value.decode("latin-1"), pattern.decode("latin-1"))


def _called(name: str, word: str, types: tuple[ScalarType, ScalarType], decide: Callable[..., bool]) -> Function:
    """Returns an operator by a function's name."""
    return Function(key_of(word, types), name, types, BOOL, decide, fallible=True)


def _bytes_escape(pattern: bytes, escape: bytes) -> bytes:
    return like_escape(pattern.decode("latin-1"), escape.decode("latin-1")).encode("latin-1")


_TT = (TEXT, TEXT)
_BYTES = (BYTEA, BYTEA)
_BT = (BPCHAR, TEXT)
_OPERATORS: tuple[tuple[str, str, str, Callable[[str, str], bool]], ...] = (
    ("~~", "!~~", "like", like),
    ("~~*", "!~~*", "ilike", ilike),
    ("~", "!~", "matches", _matcher("")),
    ("~*", "!~*", "imatches", _matcher("i")),
)

FUNCTIONS: tuple[Function, ...] = (
    *(operator(symbol, word, _TT, BOOL, decide, fallible=True) for symbol, _, word, decide in _OPERATORS),
    *(
        operator(negated, "not_" + word, _TT, BOOL, _not(decide), fallible=True)
        for _, negated, word, decide in _OPERATORS
    ),
    *(
        operator(symbol, word, _BT, BOOL, _padded(decide), fallible=True, typed=True)
        for symbol, _, word, decide in _OPERATORS
    ),
    *(
        operator(negated, "not_" + word, _BT, BOOL, _padded(_not(decide)), fallible=True, typed=True)
        for _, negated, word, decide in _OPERATORS
    ),
    operator("~~", "like", _BYTES, BOOL, _of_bytes(like), fallible=True),
    operator("!~~", "not_like", _BYTES, BOOL, _not(_of_bytes(like)), fallible=True),
    _called("like", "like", _TT, like),
    _called("notlike", "not_like", _TT, _not(like)),
    _called("like", "like", _BYTES, _of_bytes(like)),
    _called("notlike", "not_like", _BYTES, _not(_of_bytes(like))),
    function("like_escape", _BYTES, BYTEA, _bytes_escape, fallible=True),
    function("like_escape", _TT, TEXT, like_escape, fallible=True),
    function("similar_to_escape", (TEXT,), TEXT, similar_to_escape, fallible=True),
    function("similar_escape", _TT, TEXT, _similar_escape, strict=False, fallible=True),
    function("similar_to_escape", _TT, TEXT, _similar_to_escape, strict=False, fallible=True),
)
