"""What RETURN returns: each expression behind RETURN and RETURN NEXT is put into parentheses.

The grammar of PL/pgSQL returns the text of an expression, but of a variable alone nothing:

    RETURN total;   ->   RETURN (total);
"""

from __future__ import annotations

import postgast
from postgast import pg_query_pb2 as tree

from planner.syntax.grammar import COMMENTS

_BEFORE_STATEMENTS = frozenset((";", "then", "else", "loop", "begin", ">>"))
_OPENING, _CLOSING = frozenset("(["), frozenset(")]")


def with_parentheses(code: str) -> str:
    """Returns the code, which can be scanned, with each returned expression in parentheses."""
    data = code.encode()
    tokens = [token for token in postgast.scan(code).tokens if token.token not in COMMENTS]
    words = [data[token.start : token.end].decode().lower() for token in tokens]
    added: list[tuple[int, bytes]] = []
    for at, token in enumerate(tokens):
        if token.token != tree.Token.RETURN or (at and words[at - 1] not in _BEFORE_STATEMENTS):
            continue
        first = at + 2 if words[at + 1 : at + 2] == ["next"] else at + 1
        end = _end(words, first)
        if end > first and words[first] != "query":
            added += [(tokens[first].start, b"("), (tokens[end - 1].end, b")")]
    for place, text in reversed(added):
        data = data[:place] + text + data[place:]
    return data.decode()


def _end(words: list[str], first: int) -> int:
    """Returns the place of the semicolon that ends an expression."""
    depth = 0
    for at in range(first, len(words)):
        if words[at] == ";" and depth == 0:
            return at
        depth += (words[at] in _OPENING) - (words[at] in _CLOSING)
    return len(words)
