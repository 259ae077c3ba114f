"""SHOW of catalog objects, which PostgreSQL's grammar doesn't have.

SHOW objects [FROM schema] [LIKE pattern]       SHOW COLUMNS FROM t       SHOW INDEXES ON t
SHOW CREATE {TABLE | VIEW | MATERIALIZED VIEW | INDEX | SOURCE | SINK | CONNECTION} name
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import TokenType

from planner.syntax.dialect.options import text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.own_statements import SHOW_KINDS, ShowObjects

_CREATED = ("table", "view", "materialized view", "index", "source", "sink", "connection")


def show_of(parser: StatementParser) -> ShowObjects | None:
    """Reads a statement that begins with SHOW; returns None when it is about a setting."""
    parser.within(1, len(parser.tokens))
    if parser.take("CREATE"):
        created = _kind(parser, _CREATED)
        if created is None or not _names(parser):
            return None
        name = parser.name()
        return ShowObjects("create", name, create=created) if parser.done else None
    kind = _kind(parser, SHOW_KINDS)
    if kind is None:
        return None
    name = ()
    on = kind == "indexes" and parser.take("ON")
    if on or parser.take("FROM") or parser.take("IN"):
        if not _names(parser):
            return None
        name = parser.name()
    like = text(parser) if parser.take("LIKE") else None
    return ShowObjects(kind, name, like, on=on) if parser.done else None


def _names(parser: StatementParser) -> bool:
    return parser.next.token_type in (TokenType.VAR, TokenType.IDENTIFIER)


def _kind(parser: StatementParser, kinds: Collection[str]) -> str | None:
    """Reads the kind of object, of one word or two, that stands at the parser's place."""
    for length in (2, 1):
        words = [parser.word_at(parser.at + each) for each in range(length)]
        said = " ".join(words).lower()
        if said in kinds:
            parser.expect(*words)
            return said
    return None
