"""CREATE SOURCE, and CREATE TABLE from one.

CREATE SOURCE [IF NOT EXISTS] n [(column, …)] [IN CLUSTER c]
    FROM { kind CONNECTION c [(option, …)] | kind option … | FILES 'glob' [COMPRESSION c]
         | S3 CONNECTION c DISCOVER OBJECTS [MATCHING 'glob'] USING { BUCKET SCAN 'b' | SQS NOTIFICATIONS 'q' }, …
             [COMPRESSION c]
         | LOAD GENERATOR kind [(option, …)] | WEBHOOK … }
    [FORMAT …] [INCLUDE …] [ENVELOPE …] [FOR ALL TABLES | FOR SCHEMAS (s, …) | FOR TABLES (t [AS n], …)]
    [EXPOSE PROGRESS AS p] [WITH (option, …)]
CREATE TABLE [IF NOT EXISTS] n [(column, …)] FROM SOURCE s [(REFERENCE r)]
    [FORMAT …] [INCLUDE …] [ENVELOPE …] [WITH (option, …)]
"""

from __future__ import annotations

from sqlglot import TokenType

from planner.syntax.dialect.connections import kind
from planner.syntax.dialect.formats import decoding, names
from planner.syntax.dialect.known_options import (
    ADDRESS_OPTIONS,
    GENERATOR_OPTIONS,
    REFERENCE_OPTIONS,
    SOURCE_OPTIONS,
    TABLE_OPTIONS,
    UPSTREAM_OPTIONS,
)
from planner.syntax.dialect.options import checked, options_in_parentheses, text, value
from planner.syntax.dialect.parser import StatementParser
from planner.syntax.dialect.webhook import webhook
from planner.syntax.options import Option
from planner.syntax.own_statements import Place
from planner.syntax.source_statements import (
    CreateSource,
    CreateTableFromSource,
    ForTables,
    FromAddress,
    FromConnection,
    FromGenerator,
    FromWebhook,
    SourceStatement,
)

_STAND_IN = b"SELECT"
_ADDRESS_WORDS = ("BROKER", "BROKERS", "SUBSCRIBE")
"""With which options begin that stand there without parentheses."""
_CLAUSES = (("FOR",), ("FORMAT",), ("KEY", "FORMAT"), ("INCLUDE",), ("ENVELOPE",), ("EXPOSE",), ("WITH", "("))


def take_source(parser: StatementParser) -> SourceStatement | None:
    """Reads the statement, and leaves SELECT in its place in the text that PostgreSQL's grammar parses."""
    statement: SourceStatement
    if parser.sees_at(0, "CREATE", "SOURCE"):
        statement = _source(parser.within(2, len(parser.tokens)))
    elif parser.sees_at(0, "CREATE", "TABLE") and parser.outside("FROM", "SOURCE", before="AS") is not None:
        statement = _table(parser.within(2, len(parser.tokens)))
    else:
        return None
    parser.expect_end()
    parser.cut(0, len(parser.tokens) - 1, _STAND_IN)
    return statement


def _source(parser: StatementParser) -> CreateSource:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    rest = int(parser.next.start)
    columns = names(parser) if parser.sees("(") else ()
    begin = int(parser.next.start)
    cluster = parser.identifier() if parser.take("IN", "CLUSTER") else None
    placed = None if cluster is None else (begin, int(parser.next.start))
    if cluster is not None and not columns and parser.sees("("):
        columns = names(parser)
    parser.expect("FROM")
    upstream = _upstream(parser)
    decoded = decoding(parser)
    tables = _for_tables(parser) if parser.take("FOR") else None
    progress = exposed_progress(parser)
    options = options_in_parentheses(parser, "a source", SOURCE_OPTIONS) if parser.take("WITH") else ()
    clauses = upstream, decoded, progress, options, rest, tables, placed
    return CreateSource(name, if_not_exists, columns, cluster, *clauses)


def exposed_progress(parser: StatementParser) -> Place | None:
    """Reads EXPOSE PROGRESS AS name."""
    if not parser.take("EXPOSE"):
        return None
    parser.expect("PROGRESS", "AS")
    return parser.place()


def _for_tables(parser: StatementParser) -> ForTables:
    if parser.take("ALL", "TABLES"):
        return ForTables(None)
    if parser.take("SCHEMAS"):
        return ForTables(None, names(parser))
    parser.expect("TABLES", "(")
    chosen = []
    while True:
        chosen.append((parser.place(), parser.place() if parser.take("AS") else None))
        if not parser.take(","):
            break
    parser.expect(")")
    return ForTables(tuple(chosen))


def _upstream(parser: StatementParser) -> FromConnection | FromAddress | FromGenerator | FromWebhook:
    if parser.take("WEBHOOK"):
        return webhook(parser)
    if parser.take("LOAD", "GENERATOR"):
        generator = kind(parser, ("(",), *_CLAUSES)
        return FromGenerator(generator, _options(parser, f"load generator {generator}", GENERATOR_OPTIONS, generator))
    if parser.take("FILES"):
        return _files(parser)
    if any(parser.sees_at(parser.at + 1, word) for word in _ADDRESS_WORDS):
        return _address(parser)
    of = kind(parser, ("CONNECTION",))
    parser.expect("CONNECTION")
    connection = parser.place()
    if of == "S3":
        return FromConnection(of, connection, _discovered(parser))
    return FromConnection(of, connection, _options(parser, f"a {of} source", UPSTREAM_OPTIONS, of))


def _discovered(parser: StatementParser) -> tuple[Option, ...]:
    """Reads DISCOVER OBJECTS [MATCHING 'glob'] USING { BUCKET SCAN 'b' | SQS NOTIFICATIONS 'q' }, … [COMPRESSION c]."""
    parser.expect("DISCOVER", "OBJECTS")
    location = int(parser.next.start)
    found = [Option("PATTERN", text(parser) if parser.take("MATCHING") else "**", location)]
    parser.expect("USING")
    while True:
        location = int(parser.next.start)
        named = "SQS NOTIFICATIONS" if parser.sees("SQS") else "BUCKET SCAN"
        parser.expect(*named.split())
        found.append(Option(named, text(parser), location))
        if not parser.take(","):
            break
    return checked(parser, (*found, *_compression(parser)), "an S3 source", None)


def _options(parser: StatementParser, of: str, tables: dict[str, tuple[str, ...]], kind: str) -> tuple[Option, ...]:
    return options_in_parentheses(parser, of, tables.get(kind)) if parser.sees("(") else ()


def _address(parser: StatementParser) -> FromAddress:
    """Reads the address of a source: KAFKA BROKER '…' [TOPIC '…'] [(option, …)]."""
    of = parser.next_word()
    parser.skip()
    found = []
    while parser.next.token_type is TokenType.VAR and not any(parser.sees(*clause) for clause in _CLAUSES):
        location = int(parser.next.start)
        found.append(Option(_plain_name(parser), value(parser), location))
    if parser.sees("("):
        found += options_in_parentheses(parser, f"a {of} source", None)
    return FromAddress(of, checked(parser, tuple(found), f"a {of} source", ADDRESS_OPTIONS.get(of)))


def _files(parser: StatementParser) -> FromAddress:
    """Reads the address of a source of files: FILES 'glob' [COMPRESSION c]."""
    location = int(parser.next.start)
    pattern = Option("PATTERN", text(parser), location)
    return FromAddress("FILES", (pattern, *_compression(parser)))


def _compression(parser: StatementParser) -> tuple[Option, ...]:
    """Reads [COMPRESSION c]."""
    location = int(parser.next.start)
    return (Option("COMPRESSION", value(parser), location),) if parser.take("COMPRESSION") else ()


def _plain_name(parser: StatementParser) -> str:
    """Reads an option's name outside parentheses: its words up to a value that is no word."""
    words = []
    while parser.next.token_type is TokenType.VAR:
        words.append(parser.next_word())
        parser.skip()
    parser.take("=")
    return " ".join(words)


def _table(parser: StatementParser) -> CreateTableFromSource:
    if_not_exists = parser.take("IF", "NOT", "EXISTS")
    name = parser.place()
    columns = names(parser) if parser.sees("(") else ()
    parser.expect("FROM", "SOURCE")
    source = parser.place()
    rest = None if parser.done else int(parser.next.start)
    upstream: tuple[Option, ...] = ()
    if parser.sees("("):
        upstream = options_in_parentheses(parser, "a table from a source", REFERENCE_OPTIONS)
    decoded = decoding(parser)
    options = options_in_parentheses(parser, "a table from a source", TABLE_OPTIONS) if parser.take("WITH") else ()
    return CreateTableFromSource(name, if_not_exists, columns, source, rest, upstream, decoded, options)
