"""Statements about secrets and connections, and those that are the same for sources and sinks.

CREATE SECRET [IF NOT EXISTS] s AS expression            ALTER SECRET [IF EXISTS] s AS expression
CREATE CONNECTION [IF NOT EXISTS] c TO kind (option, …) [WITH (VALIDATE [=] bool)]
ALTER CONNECTION [IF EXISTS] c {SET (option, …) | RESET (name, …)}, … [WITH (VALIDATE [=] bool)]
VALIDATE CONNECTION c
ALTER {SECRET | CONNECTION | SOURCE | SINK} [IF EXISTS] x {RENAME TO y | OWNER TO role}
ALTER {SOURCE | SINK} [IF EXISTS] x SET CLUSTER c
ALTER SOURCE [IF EXISTS] x {ADD SUBSOURCE a [AS b], … | DROP SUBSOURCE [IF EXISTS] a, … | REFRESH [SUBSOURCE a, …]}
ALTER SINK [IF EXISTS] x {PAUSE | RESUME | BACKFILL | SET FROM relation}
DROP {SECRET | CONNECTION | SOURCE | SINK} [IF EXISTS] x, … [CASCADE | RESTRICT]
DROP REPLICATION SLOT [IF EXISTS] x, …
COMMENT ON {SECRET | CONNECTION | SOURCE | SINK} x IS {'text' | NULL}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from connectors.systems import CONNECTIONS
from planner.syntax.connection_statements import (
    AddedSubsources,
    AlterOwnObject,
    ChangedOptions,
    ClusterSet,
    CommentOnOwnObject,
    ConnectionStatement,
    CreateConnection,
    CreateSecret,
    DropOwnObjects,
    DroppedSubsources,
    NewSecretValue,
    OwnedByRole,
    OwnObject,
    RefreshedSubsources,
    RenamedTo,
    SinkSetFrom,
    SinkSetOptions,
    SinkTold,
    ValidateConnection,
)
from planner.syntax.dialect.known_options import (
    ALTERED_SINK_OPTIONS,
    CONNECTION_CONDITIONS,
    SOURCE_OPTIONS,
)
from planner.syntax.dialect.options import checked, options_in_parentheses, text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.options import Option

_OBJECTS = ("SECRET", "CONNECTION", "SOURCE", "SINK")
_OBJECTS_OF = {
    "CREATE": _OBJECTS[:2],
    "VALIDATE": _OBJECTS[1:2],
    "ALTER": _OBJECTS,
    "DROP": _OBJECTS,
    "COMMENT": _OBJECTS,
}
_STAND_IN = b"SELECT"


def take_connection(parser: StatementParser) -> ConnectionStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    statement: ConnectionStatement
    verb = parser.word_at(0)
    at = 2 if verb == "COMMENT" and parser.sees_at(1, "ON") else 1
    object = parser.word_at(at)
    if object in _OBJECTS_OF.get(verb, ()):
        parser.within(at + 1, len(parser.tokens))
        statement = _READERS[verb](parser, cast(OwnObject, object.lower()))
    elif parser.sees_at(0, "DROP", "REPLICATION", "SLOT"):
        parser.within(3, len(parser.tokens))
        if_exists = parser.take("IF", "EXISTS")
        statement = DropOwnObjects("replication slot", parser.items(parser.place), if_exists, cascade=False)
    else:
        return None
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _create(parser: StatementParser, object: OwnObject) -> CreateSecret | CreateConnection:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    if object == "secret":
        parser.expect("AS")
        return CreateSecret(name, if_not_exists, parser.expression_until())
    parser.expect("TO")
    of = kind(parser, ("(",))
    known = CONNECTIONS[of].checks if of in CONNECTIONS else None
    options = options_in_parentheses(parser, f"a {of} connection", known)
    return CreateConnection(name, if_not_exists, of, options, _conditions(parser))


def kind(parser: StatementParser, *ends: tuple[str, ...]) -> str:
    """Returns the words up to one of `ends`, or to the end."""
    words = []
    while not parser.done and not any(parser.sees(*end) for end in ends):
        word = parser.next_word()
        if not word.isidentifier():
            parser.refuse()
        words.append(word)
        parser.skip()
    if not words:
        parser.refuse()
    return " ".join(words)


def _conditions(parser: StatementParser) -> tuple[Option, ...]:
    if not parser.take("WITH"):
        return ()
    return options_in_parentheses(parser, "WITH", CONNECTION_CONDITIONS)


def _validate(parser: StatementParser, _object: OwnObject) -> ValidateConnection:
    return ValidateConnection(parser.place())


def _alter(parser: StatementParser, object: OwnObject) -> AlterOwnObject:
    if_exists = parser.take("IF", "EXISTS")
    name = parser.place()
    if parser.take("RENAME", "TO"):
        return AlterOwnObject(object, name, if_exists, RenamedTo(parser.identifier()))
    if parser.take("OWNER", "TO"):
        return AlterOwnObject(object, name, if_exists, OwnedByRole(parser.identifier()))
    if object in ("source", "sink") and parser.take("SET", "CLUSTER"):
        return AlterOwnObject(object, name, if_exists, ClusterSet(parser.identifier()))
    if object == "secret":
        parser.expect("AS")
        return AlterOwnObject(object, name, if_exists, NewSecretValue(parser.expression_until()))
    if object == "sink":
        return AlterOwnObject(object, name, if_exists, _told(parser))
    if object == "source" and (parser.sees("ADD") or parser.sees("DROP")):
        return AlterOwnObject(object, name, if_exists, _subsources(parser))
    if object == "source" and parser.take("REFRESH"):
        return AlterOwnObject(object, name, if_exists, _refreshed(parser))
    return AlterOwnObject(object, name, if_exists, _changes(parser, object))


def _told(parser: StatementParser) -> SinkTold | SinkSetFrom | SinkSetOptions:
    if parser.take("SET", "FROM"):
        return SinkSetFrom(parser.place())
    if parser.take("SET"):
        return SinkSetOptions(options_in_parentheses(parser, "a sink", ALTERED_SINK_OPTIONS))
    for word in ("PAUSE", "RESUME", "BACKFILL"):
        if parser.take(word):
            return SinkTold(word)
    parser.refuse()


def _subsources(parser: StatementParser) -> AddedSubsources | DroppedSubsources:
    """Reads ADD { SUBSOURCE | TABLE } a [AS b], …; DROP { SUBSOURCE | TABLE } [IF EXISTS] a, …."""
    adds = parser.take("ADD")
    if not adds:
        parser.expect("DROP")
    if not parser.take("TABLE"):
        parser.expect("SUBSOURCE")
    if not adds:
        if_exists = parser.take("IF", "EXISTS")
        names = parser.items(parser.place)
        return DroppedSubsources(names, if_exists, _cascade(parser))
    tables = parser.items(lambda: (parser.place(), parser.place() if parser.take("AS") else None))
    return AddedSubsources(tables, _subsource_options(parser))


def _refreshed(parser: StatementParser) -> RefreshedSubsources:
    """Reads [{ SUBSOURCE | TABLE } a, …] [WITH ({ TEXT | WIDE } COLUMNS (…))]."""
    named = parser.take("SUBSOURCE") or parser.take("TABLE")
    return RefreshedSubsources(parser.items(parser.place) if named else (), _subsource_options(parser))


def _subsource_options(parser: StatementParser) -> tuple[Option, ...]:
    return options_in_parentheses(parser, "subsources", ("TEXT COLUMNS", "WIDE COLUMNS")) if parser.take("WITH") else ()


def _changes(parser: StatementParser, object: OwnObject) -> ChangedOptions:
    changes: list[Option] = []
    resets: list[Option] = []

    def change() -> None:
        if parser.take("SET"):
            changes.extend(options_in_parentheses(parser, object, known))
        else:
            parser.expect("RESET")
            resets.extend(_names(parser))

    known = SOURCE_OPTIONS if object == "source" else None
    parser.items(change)
    checked(parser, (*changes, *resets), object, known)
    return ChangedOptions(tuple(changes), tuple(resets), _conditions(parser) if object == "connection" else ())


def _names(parser: StatementParser) -> tuple[Option, ...]:
    """Reads names of options in parentheses."""

    def name() -> Option:
        location = int(parser.next.start)
        return Option(kind(parser, (",",), (")",)), None, location)

    parser.expect("(")
    names = parser.items(name)
    parser.expect(")")
    return names


def _drop(parser: StatementParser, object: OwnObject) -> DropOwnObjects:
    if_exists = parser.take("IF", "EXISTS")
    names = parser.items(parser.place)
    return DropOwnObjects(object, names, if_exists, _cascade(parser))


def _cascade(parser: StatementParser) -> bool:
    """Reads [CASCADE | RESTRICT]."""
    cascade = parser.take("CASCADE")
    if not cascade:
        parser.take("RESTRICT")
    return cascade


def _comment(parser: StatementParser, object: OwnObject) -> CommentOnOwnObject:
    name = parser.place()
    parser.expect("IS")
    return CommentOnOwnObject(object, name, None if parser.take("NULL") else text(parser))


_READERS: dict[str, Callable[[StatementParser, OwnObject], ConnectionStatement]] = {
    "CREATE": _create,
    "VALIDATE": _validate,
    "ALTER": _alter,
    "DROP": _drop,
    "COMMENT": _comment,
}
