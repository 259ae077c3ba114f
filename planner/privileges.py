"""Privileges as PostgreSQL writes them in access control lists: a letter each, in one order; and what a statement asks
of the objects that it names."""

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
    """What a statement asks of one relation that it names: all of `rights`. Of SELECT, INSERT, UPDATE and
    REFERENCES it is enough to have them on the columns by number, from 1, that it reads, inserts, updates or
    references; on any where it reads none."""

    item: GlobalId
    rights: str
    selected: frozenset[int] = frozenset()
    inserted: frozenset[int] = frozenset()
    updated: frozenset[int] = frozenset()
    referenced: frozenset[int] = frozenset()


def in_order(letters: str | frozenset[str] | set[str]) -> str:
    """Returns the letters, each once, in the listed order."""
    return "".join(letter for letter in LETTERS if letter in letters)
