"""CREATE SINK.

CREATE SINK [IF NOT EXISTS] n [IN CLUSTER c] FROM object
    INTO kind [CONNECTION c] [(option, …)] [KEY (column, …) [NOT ENFORCED]] [FORMAT f] [WITH (option, …)]
"""

from __future__ import annotations

from planner.syntax.dialect.connections import kind
from planner.syntax.dialect.known_options import DESTINATION_OPTIONS, SINK_OPTIONS
from planner.syntax.dialect.options import options_in_parentheses
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.options import Option
from planner.syntax.sink_statements import CreateSink, SinkKey

_STAND_IN = b"SELECT"
_CLAUSES = (("(",), ("CONNECTION",), ("KEY",), ("FORMAT",), ("ENVELOPE",), ("WITH",))


def take_sink(parser: StatementParser) -> CreateSink | None:
    """The statement; a stand-in keeps its place in the tree."""
    if not parser.sees_at(0, "CREATE", "SINK"):
        return None
    statement = _sink(parser.within(2, len(parser.tokens)))
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _sink(parser: StatementParser) -> CreateSink:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    cluster = parser.identifier() if parser.take("IN", "CLUSTER") else None
    parser.expect("FROM")
    source = parser.place()
    parser.expect("INTO")
    into = kind(parser, *_CLAUSES)
    connection = parser.place() if parser.take("CONNECTION") else None
    options: tuple[Option, ...] = ()
    if parser.sees("("):
        options = options_in_parentheses(parser, f"a {into} sink", DESTINATION_OPTIONS.get(into))
    key = _key(parser) if parser.take("KEY") else None
    format_ = kind(parser, ("WITH",), ("ENVELOPE",)) if parser.take("FORMAT") else None
    conditions = options_in_parentheses(parser, "a sink", SINK_OPTIONS) if parser.take("WITH") else ()
    return CreateSink(name, if_not_exists, cluster, source, into, connection, options, key, format_, conditions)


def _key(parser: StatementParser) -> SinkKey:
    parser.expect("(")
    columns = parser.items(parser.place)
    parser.expect(")")
    return SinkKey(columns, not parser.take("NOT", "ENFORCED"))
