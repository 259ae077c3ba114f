"""However a statement about a secret is broken behind its first words, nothing that is said of it repeats the value."""

from __future__ import annotations

import random

import postgast

from model.errors.sql_error import SqlError
from planner.syntax.parse import parse
from planner.syntax.secret_texts import public_text

_NEEDLE = "hunter2"
_TEXTS = (
    "CREATE SECRET s AS 'hunter2'",
    "CREATE SECRET IF NOT EXISTS a.s AS 'x' || E'hunter2' || $q$hunter2$q$",
    "ALTER SECRET IF EXISTS s AS decode('hunter2', 'base64')::bytea",
    'create /* c */ secret "AS" as (\'hunter2\' || upper("hunter2")) -- hunter2',
    "SELECT 'secret'; ALTER SECRET s AS U&'hunter2' || X'00'; SELECT 1",
)
_OTHERS = (
    "'hunter2'",
    "'hunter2",
    '"hunter2',
    "$a$hunter2",
    "(",
    ")",
    ";",
    ",",
    "AS",
    " 5hunter2 ",
    "E'hunter2\\",
    "/*",
    "",
)
_BROKEN = 600


def test_nothing_repeats_the_value_of_a_broken_statement() -> None:
    draw = random.Random(7)
    told = []
    for _ in range(_BROKEN):
        sql = _broken(draw, draw.choice(_TEXTS))
        if _NEEDLE in public_text(sql):
            told.append((sql, public_text(sql)))
        try:
            parse(sql)
        except SqlError as error:
            if _NEEDLE in f"{error.message} {error.detail} {error.hint}":
                told.append((sql, error.message))
    assert told == []


def _broken(draw: random.Random, sql: str) -> str:
    """With one token behind CREATE SECRET or ALTER SECRET gone, doubled, or another."""
    data = sql.encode()
    words = [(token.start, token.end) for token in postgast.scan(sql).tokens]
    first = next(at for at, (start, end) in enumerate(words) if data[start:end].upper() == b"SECRET") + 1
    start, end = words[draw.randrange(first, len(words))]
    kept, word, rest = data[:start].decode(), data[start:end].decode(), data[end:].decode()
    return kept + draw.choice((f"{word} {word}", *_OTHERS)) + rest
