"""The clauses that say what becomes of a source's messages, in this order:

    [FORMAT f | KEY FORMAT f VALUE FORMAT f]
    [INCLUDE {KEY | PARTITION | OFFSET | TIMESTAMP | HEADERS} [AS name], HEADER 'h' AS name [BYTES], …]
    [ENVELOPE {NONE | UPSERT | DEBEZIUM} [(option, …)]]

A format is JSON, TEXT or BYTES, or

    CSV WITH {n COLUMNS | HEADER [(name, …)]} [DELIMITED BY 'c']
    {AVRO | PROTOBUF [MESSAGE 'm']} USING
        {SCHEMA 'text' [(option, …)] | CONFLUENT SCHEMA REGISTRY CONNECTION c
            [KEY STRATEGY {INLINE 'text' | ID n | LATEST}] [VALUE STRATEGY …]}
"""

from __future__ import annotations

from planner.syntax.dialect.known_options import ENVELOPE_OPTIONS, SCHEMA_OPTIONS
from planner.syntax.dialect.options import options_in_parentheses, text
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.source_statements import (
    CsvFormat,
    DataFormat,
    Decoding,
    Included,
    KeyValueFormat,
    PlainFormat,
    SchemaFormat,
    SchemaRegistry,
    SchemaStrategy,
    SourceEnvelope,
)

_PLAIN = ("JSON", "TEXT", "BYTES", "PARQUET")
_WITH_SCHEMA = ("AVRO", "PROTOBUF")
_INCLUDED = ("KEY", "PARTITION", "OFFSET", "TIMESTAMP", "HEADERS")


def decoding(parser: StatementParser) -> Decoding:
    """Reads the three clauses FORMAT, INCLUDE and ENVELOPE, those that are there."""
    format: DataFormat | KeyValueFormat | None = None
    if parser.take("FORMAT"):
        format = data_format(parser)
    elif parser.take("KEY", "FORMAT"):
        key = data_format(parser)
        parser.expect("VALUE", "FORMAT")
        format = KeyValueFormat(key, data_format(parser))
    include = parser.items(lambda: _included(parser)) if parser.take("INCLUDE") else ()
    return Decoding(format, include, _envelope(parser))


def data_format(parser: StatementParser) -> DataFormat:
    """Reads the format behind FORMAT."""
    word = parser.next_word()
    if word in _PLAIN:
        parser.skip()
        return PlainFormat(word)
    if word in _WITH_SCHEMA:
        parser.skip()
        return _with_schema(parser, word)
    parser.expect("CSV", "WITH")
    columns: int | None = None
    header: tuple[str, ...] = ()
    if parser.take("HEADER"):
        header = names(parser) if parser.sees("(") else ()
    else:
        columns = parser.number()
        parser.expect("COLUMNS")
    return CsvFormat(columns, header, text(parser) if parser.take("DELIMITED", "BY") else None)


def names(parser: StatementParser) -> tuple[str, ...]:
    """Reads `(name, …)`."""
    parser.expect("(")
    found = parser.items(parser.identifier)
    parser.expect(")")
    return found


def _with_schema(parser: StatementParser, word: str) -> SchemaFormat:
    message = text(parser) if word == "PROTOBUF" and parser.take("MESSAGE") else None
    parser.expect("USING")
    if parser.take("SCHEMA"):
        schema = text(parser)
        options = options_in_parentheses(parser, "a schema", SCHEMA_OPTIONS) if parser.sees("(") else ()
        return SchemaFormat(word, schema, message, options)
    parser.expect("CONFLUENT", "SCHEMA", "REGISTRY", "CONNECTION")
    connection = parser.place()
    key = _strategy(parser) if parser.take("KEY", "STRATEGY") else SchemaStrategy()
    value = _strategy(parser) if parser.take("VALUE", "STRATEGY") else SchemaStrategy()
    return SchemaFormat(word, SchemaRegistry(connection, key, value), message)


def _strategy(parser: StatementParser) -> SchemaStrategy:
    if parser.take("INLINE"):
        return SchemaStrategy(schema=text(parser))
    if parser.take("ID"):
        return SchemaStrategy(number=parser.number())
    parser.expect("LATEST")
    return SchemaStrategy()


def _included(parser: StatementParser) -> Included:
    if parser.take("HEADER"):
        header = text(parser)
        parser.expect("AS")
        return Included("HEADER", parser.identifier(), header, parser.take("BYTES"))
    what = parser.next_word()
    if what not in _INCLUDED:
        parser.refuse()
    parser.skip()
    return Included(what, parser.identifier() if parser.take("AS") else None)


def _envelope(parser: StatementParser) -> SourceEnvelope | None:
    if not parser.take("ENVELOPE"):
        return None
    kind = parser.next_word()
    if kind not in ENVELOPE_OPTIONS:
        parser.refuse()
    parser.skip()
    known = ENVELOPE_OPTIONS[kind]
    return SourceEnvelope(kind, options_in_parentheses(parser, f"ENVELOPE {kind}", known) if parser.sees("(") else ())
