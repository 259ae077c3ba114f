"""The columns of a function's rows without parentheses, and current_user() with some, as Materialize takes them and
PostgreSQL's grammar does not.

    SELECT mz_aclexplode(acl).* FROM s        SELECT mz_aclexplode(acl) _ FROM s, and the place of the call

The star is written as a name of the same length, so every place of an error stays where it was.
"""

from __future__ import annotations

import re

import postgast
from postgast import pg_query_pb2 as tree

_CALLED_WORD = re.compile(r"\b(?:current_user|current_role|session_user)\s*\(\s*\)", re.IGNORECASE)
_STAR = re.compile(r"\)\s*\.\s*\*")
_WORDS = (tree.Token.CURRENT_USER, tree.Token.CURRENT_ROLE, tree.Token.SESSION_USER)


def take_call_stars(sql: str) -> tuple[str, frozenset[int]] | None:
    """Returns the text with a name in place of each star behind a call, and the bytes at which these calls begin; None
    when there are none."""
    if _STAR.search(sql) is None:
        return None
    data = bytearray(sql.encode())
    try:
        tokens = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return None
    # A reserved word before parentheses calls nothing: `SELECT (f(x)).*`.
    words = [
        b"" if each.keyword_kind == tree.RESERVED_KEYWORD else bytes(data[each.start : each.end]) for each in tokens
    ]
    open_at, opened = list[int](), dict[int, int]()
    for at, word in enumerate(words):
        if word in (b"(", b"["):
            open_at.append(at)
        elif word in (b")", b"]") and open_at:
            opened[at] = open_at.pop()
    places = set[int]()
    for at in range(len(words) - 2):
        if words[at : at + 3] == [b")", b".", b"*"] and (first := _name_before(words, opened.get(at, 0))) is not None:
            dot, star = tokens[at + 1].start, tokens[at + 2].start
            data[dot : dot + 1], data[star : star + 1] = b" ", b"_"
            places.add(tokens[first].start)
    return (data.decode(), frozenset(places)) if places else None


def without_word_calls(sql: str) -> str:
    """Returns the text with blanks for the parentheses of `current_user()`, which is a word to PostgreSQL's grammar."""
    if _CALLED_WORD.search(sql) is None:
        return sql
    data = bytearray(sql.encode())
    try:
        tokens = postgast.scan(sql).tokens
    except postgast.PgQueryError:
        return sql
    for word, opened, closed in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.token in _WORDS and data[opened.start : opened.end] == b"(" and data[closed.start : closed.end] == b")":
            for place in (opened.start, closed.start):
                data[place : place + 1] = b" "
    return data.decode()


def _name_before(words: list[bytes], parenthesis: int) -> int | None:
    """Returns the place of the first word of the function's name before a parenthesis; None without a name."""
    at = parenthesis - 1
    if at < 0 or not _is_name(words[at]):
        return None
    while at >= 2 and words[at - 1] == b"." and _is_name(words[at - 2]):
        at -= 2
    return at


def _is_name(word: bytes) -> bool:
    return word[:1] in (b'"', b"_") or word[:1].isalpha() or word[:1] >= b"\x80"
