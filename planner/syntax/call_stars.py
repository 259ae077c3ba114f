"""The columns of a function's rows without parentheses, as Materialize takes them and PostgreSQL's grammar does not.

    SELECT mz_aclexplode(acl).* FROM s        SELECT mz_aclexplode(acl) _ FROM s, and the place of the call

The star is written as a name of the same length, so every place of an error stays where it was.
"""

from __future__ import annotations

import re

import postgast

_STAR = re.compile(r"\)\s*\.\s*\*")


def take_call_stars(sql: str) -> tuple[str, frozenset[int]] | None:
    """Returns the text with a name in place of each star behind a call, and the bytes at which these calls begin; None
    when there are none."""
    if _STAR.search(sql) is None:
        return None
    data = bytearray(sql.encode())
    try:
        tokens = [(token.start, token.end) for token in postgast.scan(sql).tokens]
    except postgast.PgQueryError:
        return None
    words, open_at, opened = [bytes(data[start:end]) for start, end in tokens], list[int](), dict[int, int]()
    for at, word in enumerate(words):
        if word in (b"(", b"["):
            open_at.append(at)
        elif word in (b")", b"]") and open_at:
            opened[at] = open_at.pop()
    places = set[int]()
    for at in range(len(words) - 2):
        if words[at : at + 3] == [b")", b".", b"*"] and (first := _name_before(words, opened.get(at, 0))) is not None:
            dot, star = tokens[at + 1][0], tokens[at + 2][0]
            data[dot : dot + 1], data[star : star + 1] = b" ", b"_"
            places.add(tokens[first][0])
    return (data.decode(), frozenset(places)) if places else None


def _name_before(words: list[bytes], parenthesis: int) -> int | None:
    """Returns the place of the first word of the function's name before a parenthesis; None without a name."""
    at = parenthesis - 1
    if at < 0 or not _is_name(words[at]):
        return None
    while at >= 2 and words[at - 1] == b"." and _is_name(words[at - 2]):
        at -= 2
    return at


def _is_name(word: bytes) -> bool:
    return word[:1] == b'"' or word[:1].isalpha() or word[:1] == b"_" or word[0] >= 0x80
