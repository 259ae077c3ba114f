"""CREATE SINK.

CREATE SINK [IF NOT EXISTS] n [IN CLUSTER c] FROM object
    INTO kind [CONNECTION c] [(option, …)] [KEY (column, …) [NOT ENFORCED]] [HEADERS column]
    [FORMAT f | KEY FORMAT f VALUE FORMAT f] [ENVELOPE e] [EXPOSE PROGRESS AS p] [WITH (option, …)]
with f = name [USING CONFLUENT SCHEMA REGISTRY CONNECTION c]
"""

from __future__ import annotations

from connectors.systems import DESTINATIONS
from planner.syntax.dialect.connections import kind
from planner.syntax.dialect.known_options import SINK_OPTIONS
from planner.syntax.dialect.options import options_in_parentheses
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.sources import exposed_progress
from planner.syntax.options import Option
from planner.syntax.sink_statements import CreateSink, SinkFormat, SinkKey

_STAND_IN = b"SELECT"
_CLAUSES = (("(",), ("CONNECTION",), ("KEY",), ("HEADERS",), ("FORMAT",), ("ENVELOPE",), ("EXPOSE",), ("WITH",))


def take_sink(parser: StatementParser) -> CreateSink | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
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
        known = DESTINATIONS[into].options if into in DESTINATIONS else None
        options = options_in_parentheses(parser, f"a {into} sink", known)
    key = None if parser.sees("KEY", "FORMAT") or not parser.take("KEY") else _key(parser)
    headers = parser.place() if parser.take("HEADERS") else None
    key_format = format_ = None
    if parser.take("KEY", "FORMAT"):
        key_format = _format(parser)
        parser.expect("VALUE", "FORMAT")
        format_ = _format(parser)
    elif parser.take("FORMAT"):
        format_ = _format(parser)
    envelope = kind(parser, ("EXPOSE",), ("WITH",)) if parser.take("ENVELOPE") else None
    progress = exposed_progress(parser)
    conditions = options_in_parentheses(parser, "a sink", SINK_OPTIONS) if parser.take("WITH") else ()
    clauses = key, key_format, format_, envelope, conditions, headers, progress
    return CreateSink(name, if_not_exists, cluster, source, into, connection, options, *clauses)


def _format(parser: StatementParser) -> SinkFormat:
    name = kind(parser, ("USING",), ("VALUE",), ("ENVELOPE",), ("EXPOSE",), ("WITH",))
    if not parser.take("USING"):
        return SinkFormat(name)
    parser.expect("CONFLUENT", "SCHEMA", "REGISTRY", "CONNECTION")
    return SinkFormat(name, parser.place())


def _key(parser: StatementParser) -> SinkKey:
    parser.expect("(")
    columns = parser.items(parser.place)
    parser.expect(")")
    return SinkKey(columns, not parser.take("NOT", "ENFORCED"))
