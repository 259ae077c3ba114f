"""Reads statements that PostgreSQL's grammar can't, by the dialect, imported for the first such text.

sqlglot takes a tenth of a second to import, and most sessions never use this server's own syntax. The server imports
the dialect outside of the event loop (`load_dialect`), so that no session waits for the import.
"""

from __future__ import annotations

import re

from planner.syntax.extensions import Extension, MutualRecursion
from planner.syntax.members import MemberSyntax

_PIECE_LENGTH = 1 << 18
_WORD_LENGTH_MAX = 4
_MEMBER_WORDS = re.compile(r"\b(?:list|map)\b", re.IGNORECASE)


def load_dialect() -> None:
    """Imports it; again it does nothing."""
    from planner.syntax.dialect import members, recursions, statements  # noqa: F401 - imported for those who ask next


def take_members(sql: str) -> tuple[str, MemberSyntax] | None:
    """Returns the text with lists and maps in PostgreSQL's words, and what they leave out; None when there are none."""
    if not mentions_members(sql):
        return None
    from planner.syntax.dialect.members import take_members

    return take_members(sql)


def take_recursions(sql: str) -> tuple[str, dict[int, MutualRecursion]] | None:
    """Returns the text with WITH MUTUALLY RECURSIVE in PostgreSQL's words, and what they leave out; None when there is
    none."""
    if "mutually" not in sql.lower():
        return None
    from planner.syntax.dialect.recursions import take_recursions

    return take_recursions(sql)


def take_extensions(sql: str) -> tuple[str, dict[int, Extension]] | None:
    """Returns the text without statements and clauses of our own, and those by their places; None when there are
    none."""
    from planner.syntax.dialect.statements import take_extensions

    return take_extensions(sql)


def mentions_members(sql: str) -> bool:
    """Tells whether a text contains either word. A long text is searched in pieces, because one search would hold up
    all threads."""
    return any(
        _MEMBER_WORDS.search(sql, max(start - _WORD_LENGTH_MAX, 0), start + _PIECE_LENGTH)
        for start in range(0, len(sql), _PIECE_LENGTH)
    )
