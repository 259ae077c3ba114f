"""Letters, their kinds and their cases against PostgreSQL whose LC_CTYPE is C.UTF-8."""

from __future__ import annotations

from unicodedata import ucd_3_2_0

from model.patterns.cases import lower, upper
from model.patterns.characters import CLASSES, ESCAPED_CLASSES
from tests.judge import Judge

_KINDS = tuple(CLASSES)
_ESCAPES = tuple(ESCAPED_CLASSES)


def test_every_character_has_the_kinds_and_cases_that_postgres_gives_it(judge: Judge) -> None:
    """Of those that Unicode has long had: what is new in it is the C library's affair, on which the judge runs."""
    asked = [*(f"chr(i) ~ '[[:{kind}:]]'" for kind in _KINDS), *(f"chr(i) ~ '\\{letter}'" for letter in _ESCAPES)]
    query = f"SELECT chr(i), upper(chr(i)), lower(chr(i)), {', '.join(asked)} FROM generate_series(1, 131071) AS i"
    with judge.connect() as connection:
        rows = connection.execute(f"{query} WHERE i NOT BETWEEN 55296 AND 57343".encode()).fetchall()
    sets = [*CLASSES.values(), *ESCAPED_CLASSES.values()]
    wrong = []
    for character, *facts in rows:
        if ucd_3_2_0.category(str(character)) == "Cn":
            continue
        ours = [upper(str(character)), lower(str(character)), *(str(character) in kind for kind in sets)]
        if ours != facts:
            wrong.append(f"U+{ord(str(character)):04X}: {ours}, PostgreSQL {facts}")
    assert len(rows) > 120_000 and not wrong, "\n".join(wrong[:40])
