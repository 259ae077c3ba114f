"""Words of MERGE that the grammar takes, and that PostgreSQL 16 does not have: RETURNING, WHEN NOT MATCHED BY."""

from __future__ import annotations

import re
from dataclasses import dataclass

import postgast
from postgast import pg_query_pb2 as tree

_NEWER = re.compile(r"\b(returning|by)\b", re.IGNORECASE)
_OPENING, _CLOSING, _END = tree.Token.ASCII_40, tree.Token.ASCII_41, tree.Token.ASCII_59


@dataclass(frozen=True, slots=True)
class MergeWord:
    """A word as written, and the byte of the text at which it begins."""

    text: str
    location: int


def newer_words(source: str, begin: int) -> MergeWord | None:
    """Finds the first word that PostgreSQL 16 refuses in the MERGE whose target stands at byte `begin` of a text."""
    if _NEWER.search(source) is None:
        return None
    data, depth, before = source.encode(), 0, None
    for token in postgast.scan(source).tokens:
        if token.start < begin:
            continue
        depth += (token.token == _OPENING) - (token.token == _CLOSING)
        if token.token == _END and not depth:
            return None
        refused = token.token == tree.Token.RETURNING or (before == tree.Token.MATCHED and token.token == tree.Token.BY)
        if refused and not depth:
            return MergeWord(data[token.start : token.end].decode(), token.start)
        before = token.token
    return None
