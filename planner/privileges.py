"""Privileges as PostgreSQL writes access control lists (a letter each, in a fixed order), and the privileges that a
statement needs.
"""

from __future__ import annotations

from dataclasses import dataclass

from model.ids.global_id import GlobalId

LETTERS = "arwdDxtXUCTcsA"
"""In the order in which they are listed."""

SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER = "r", "a", "w", "d", "D", "x", "t"
EXECUTE, USAGE, CREATE, TEMPORARY, CONNECT = "X", "U", "C", "T", "c"

WORDS = {
    "select": SELECT,
    "insert": INSERT,
    "update": UPDATE,
    "delete": DELETE,
    "truncate": TRUNCATE,
    "references": REFERENCES,
    "trigger": TRIGGER,
    "execute": EXECUTE,
    "usage": USAGE,
    "create": CREATE,
    "temporary": TEMPORARY,
    "temp": TEMPORARY,
    "connect": CONNECT,
    "set": "s",
    "alter system": "A",
}
"""The letter of each privilege, by the words that GRANT has for it."""

NAMES = {letter: word.upper() for word, letter in WORDS.items() if word != "temp"}

COLUMN_PRIVILEGES = "arwx"
PUBLIC = 0
"""The grantee that stands for every role."""


@dataclass(frozen=True, slots=True)
class Need:
    """Privileges that a statement needs on one relation: all of `rights`. For SELECT, INSERT, UPDATE and REFERENCES,
    privileges on the columns used suffice: columns by number, from 1; if no column is used, a privilege on any column
    suffices. `beneath`: what the owner of a view needs in turn, where rows are changed through the view.
    """

    item: GlobalId
    rights: str
    selected: frozenset[int] = frozenset()
    inserted: frozenset[int] = frozenset()
    updated: frozenset[int] = frozenset()
    referenced: frozenset[int] = frozenset()
    beneath: Need | None = None


def in_order(letters: str | frozenset[str] | set[str]) -> str:
    """Returns the letters, each once, in the listed order."""
    return "".join(letter for letter in LETTERS if letter in letters)
