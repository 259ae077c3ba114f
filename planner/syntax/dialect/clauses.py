"""Clauses that PostgreSQL's statements don't have.

    SELECT … AS OF [AT LEAST] time                COPY (SELECT … AS OF time) TO STDOUT
    CREATE DEFAULT INDEX [name] [IN CLUSTER c] ON t
    CREATE [OR REPLACE] MATERIALIZED VIEW v [IN CLUSTER c] …
    ALTER {MATERIALIZED VIEW | VIEW | TABLE | INDEX | SCHEMA} a SWAP WITH b
    CHECK {VIEW | MATERIALIZED VIEW | INDEX} v
    EXPLAIN … [FOR] {VIEW | MATERIALIZED VIEW | INDEX} v
    COPY … (…, FORMAT JSON, …)
    … {WITH | SET} (…, RETAIN HISTORY [=] FOR '1h', …)        … RESET (RETAIN HISTORY)
    CREATE MATERIALIZED VIEW … WITH (…, ASSERT NOT NULL [=] column, …)

Each is cut out, or replaced by PostgreSQL's words for something of the same shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planner.syntax.dialect.options import take_text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.subscribe import inner_query
from planner.syntax.dialect.tokens import depth_change

_KINDS = {("MATERIALIZED", "VIEW"): "materialized view", ("VIEW",): "view", ("INDEX",): "index"}
_EXPLAINED_KINDS = {**_KINDS, ("SINK",): "sink"}
_MODIFIERS = ("OR", "REPLACE", "TEMP", "TEMPORARY", "GLOBAL", "LOCAL", "UNLOGGED", "UNIQUE", "DEFAULT")
_NO_OPTION = b"FREEZE off"
_STAND_IN_KEY = b" (x)"
_QUERIES = ("SELECT", "WITH", "VALUES", "TABLE", "(", "INSERT", "UPDATE", "DELETE", "CHECK")
_AROUND_QUERIES = ("COPY", "CREATE", "PREPARE", "DECLARE", "EXPLAIN")


def has_a_time(parser: StatementParser) -> bool:
    """Tells whether a statement that begins like this may contain a query; in others AS OF is no syntax."""
    return parser.word_at(0) in (*_QUERIES, *_AROUND_QUERIES) and (
        not parser.sees_at(0, "COPY") or parser.sees_at(1, "(")
    )


def take_as_of(parser: StatementParser) -> tuple[Any, bool] | None:
    """Takes AS OF at the end of the statement, or of the query in COPY's parentheses: its expression, and whether AT
    LEAST.

    `of` is a name to PostgreSQL, so the last AS OF is meant, behind which something stands:

        SELECT a AS of, b FROM t AS OF 5
    """
    first, stop = 0, len(parser.tokens)
    if parser.sees_at(0, "COPY", "("):
        first, stop = inner_query(parser) or (first, stop)
    depth, begin = 0, None
    for at in range(first, stop):
        if depth == 0 and at > first and at + 2 < stop and parser.sees_at(at, "AS", "OF"):
            begin = at
        depth += depth_change(parser.tokens[at])
    if begin is None:
        return None
    parser.within(begin + 2, stop)
    at_least = parser.take("AT", "LEAST")
    if parser.done:
        return None
    expression = parser.expression_until()
    parser.cut(begin, stop - 1)
    return expression, at_least


def take_default_index(parser: StatementParser) -> bool:
    """Turns CREATE DEFAULT INDEX into CREATE INDEX with a stand-in for the key, in the bytes that DEFAULT leaves."""
    if not parser.sees_at(0, "CREATE", "DEFAULT", "INDEX"):
        return False
    default, end = parser.tokens[1], parser.tokens[-1].end + 1
    moved = bytes(parser.written.data[default.end + 1 : end]) + _STAND_IN_KEY
    parser.written.blank(default.start, end)
    parser.written.write(1, moved)
    return True


def take_json_copy(parser: StatementParser) -> bool:
    """Takes COPY … (FORMAT JSON), which PostgreSQL's words take for the beginning of something else: an option that
    means nothing takes its place."""
    if not parser.sees_at(0, "COPY"):
        return False
    depth, found = 0, None
    for at in range(len(parser.tokens) - 1):
        if depth == 0 and (parser.sees_at(at, "TO") or parser.sees_at(at, "FROM")):
            found = None
        elif depth == 1 and parser.sees_at(at, "FORMAT", "JSON"):
            found = at
        depth += depth_change(parser.tokens[at])
    if found is None:
        return False
    parser.cut(found, found + 1, _NO_OPTION)
    return True


def take_or_replace(parser: StatementParser) -> bool:
    """Turns CREATE OR REPLACE MATERIALIZED VIEW into CREATE MATERIALIZED VIEW."""
    if not parser.sees_at(0, "CREATE", "OR", "REPLACE", "MATERIALIZED", "VIEW"):
        return False
    parser.cut(1, 2)
    return True


def take_cluster(parser: StatementParser) -> str | None:
    """Takes IN CLUSTER name, of an index or a materialized view that is being created."""
    at = parser.outside("IN", "CLUSTER", before="AS") if _creates(parser, "INDEX", "MATERIALIZED") else None
    if at is None or at + 2 >= len(parser.tokens):
        return None
    name = parser.within(at + 2, len(parser.tokens)).identifier()
    parser.cut(at, at + 2)
    return name


def _creates(parser: StatementParser, *kinds: str) -> bool:
    """Tells whether the statement is CREATE of one of these kinds, with any modifiers between."""
    at = 1
    while parser.word_at(at) in _MODIFIERS:
        at += 1
    return parser.sees_at(0, "CREATE") and parser.word_at(at) in kinds


def take_swap(parser: StatementParser) -> bool:
    """Turns SWAP WITH into RENAME TO."""
    at = parser.outside("SWAP", "WITH") if parser.sees_at(0, "ALTER") else None
    if at is None:
        return False
    parser.cut(at, at + 1, b"RENAME TO")
    return True


_GRANTED_ON = ("CONNECTION", "SECRET", "SOURCE", "CLUSTER")


def take_granted_on(parser: StatementParser) -> str | None:
    """Takes the kind of object out of GRANT … ON CONNECTION c, so that GRANT … ON c remains, which PostgreSQL can
    parse; returns the kind in lower case, or None when the statement names no such kind."""
    granting = parser.sees_at(0, "GRANT") or parser.sees_at(0, "REVOKE")
    at = parser.outside("ON") if granting else None
    kind = None if at is None else next((word for word in _GRANTED_ON if parser.sees_at(at + 1, word)), None)
    if at is None or kind is None:
        return None
    parser.cut(at + 1, at + 1)
    return kind.lower()


def take_check(parser: StatementParser) -> str | None:
    """Rewrites CHECK VIEW v as CHECK TABLE v, and returns the kind of object that was written; None for another
    statement."""
    words = _kind_at(parser, 1, _KINDS) if parser.sees_at(0, "CHECK") else None
    if words is None:
        return None
    parser.cut(0, len(words), b"TABLE")
    return _KINDS[words]


def take_explained_object(parser: StatementParser, start: int) -> str | None:
    """Turns VIEW v, of which a plan is to be explained, into TABLE v; `start` is a byte before it that is blank."""
    words = _kind_at(parser, 0, _EXPLAINED_KINDS)
    if words is None:
        return None
    parser.cut(0, len(words) - 1)
    parser.written.data[start : start + 5] = b"TABLE"
    return _EXPLAINED_KINDS[words]


def _kind_at(parser: StatementParser, at: int, kinds: Iterable[tuple[str, ...]]) -> tuple[str, ...] | None:
    return next((words for words in kinds if parser.sees_at(at, *words)), None)


def take_retain_history(parser: StatementParser) -> tuple[bool, str | None]:
    """Reads RETAIN HISTORY; returns whether the clause is there, and its interval."""
    if not parser.sees_at(0, "ALTER") and not _creates(parser, "TABLE", "INDEX", "MATERIALIZED"):
        return False, None
    opener = 0
    for at in range(2, len(parser.tokens)):
        if parser.sees_at(at - 1, "("):
            opener = at - 1
        if not parser.sees_at(at, "RETAIN", "HISTORY") or parser.word_at(at - 1) not in ("(", ","):
            continue
        command = parser.word_at(opener - 1)
        if command == "RESET" and parser.sees_at(at + 2, ")"):
            parser.cut(at, at + 1, b"x")
            return True, None
        parser.within(at + 2, len(parser.tokens))
        parser.take("=")
        history = take_text(parser) if command in ("WITH", "SET") and parser.take("FOR") else None
        if history is None:
            continue
        if parser.done:
            parser.refuse()
        _cut_item(parser, opener, at, parser.at - 1, command)
        return True, history
    return False, None


def take_asserted(parser: StatementParser) -> tuple[str, ...]:
    """Reads each ASSERT NOT NULL of a CREATE MATERIALIZED VIEW; returns the columns."""
    found: list[str] = []
    while (column := _take_asserted_column(parser)) is not None:
        found.append(column)
    return tuple(found)


def _take_asserted_column(parser: StatementParser) -> str | None:
    if not _creates(parser, "MATERIALIZED"):
        return None
    opener = 0
    for at in range(2, len(parser.tokens)):
        if parser.sees_at(at, "AS"):
            return None
        if parser.sees_at(at - 1, "WITH") and parser.sees_at(at, "("):
            opener = at
        if opener and parser.sees_at(at, "ASSERT", "NOT", "NULL") and parser.word_at(at - 1) in ("(", ","):
            parser.within(at + 3, len(parser.tokens))
            parser.take("=")
            column = parser.name()
            if len(column) > 1 or parser.done:
                parser.refuse()
            _cut_item(parser, opener, at, parser.at - 1, "WITH")
            return column[0]
    return None


def _cut_item(parser: StatementParser, opener: int, first: int, last: int, command: str) -> None:
    """Takes an item out of a list in parentheses, and the list too when nothing else is in it."""
    if parser.sees_at(last + 1, ","):
        parser.cut(first, last + 1)
    elif first - 1 > opener:
        parser.cut(first - 1, last)
    elif command == "SET":
        parser.cut(opener - 1, last + 1, b"RESET (x)")
    else:
        parser.cut(opener - 1, last + 1)
