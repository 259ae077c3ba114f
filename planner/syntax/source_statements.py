"""Statements about sources, as written. Their options are of the kind that is read from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.external.publications import Publication
from model.types.relation_desc import ColumnDesc
from planner.catalog_view import FoundUpstream
from planner.syntax.options import Option
from planner.syntax.own_statements import Place


@dataclass(frozen=True, slots=True)
class FromConnection:
    """FROM KAFKA CONNECTION c (…); `kind` is in capitals, words with one space between."""

    kind: str
    connection: Place
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class FromAddress:
    """FROM KAFKA BROKER '…' TOPIC '…': no connection, but its options and the source's."""

    kind: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class FromGenerator:
    """FROM LOAD GENERATOR kind (…)."""

    kind: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class WebhookHeader:
    """INCLUDE HEADER 'name' AS column [BYTES]."""

    header: str
    column: str
    as_bytes: bool


@dataclass(frozen=True, slots=True)
class CheckInput:
    """An input of CHECK's expression: `what` is HEADERS, BODY or SECRET, `secret` its name."""

    what: str
    secret: Place | None
    name: str | None
    as_bytes: bool


@dataclass(frozen=True, slots=True)
class WebhookCheck:
    """The CHECK of a webhook source, as written. `condition` is a syntax tree."""

    inputs: tuple[CheckInput, ...]
    condition: Any


@dataclass(frozen=True, slots=True)
class FromWebhook:
    """FROM WEBHOOK as written. `headers`: None without a column `headers`; else the named headers in the column, each
    with True for `NOT 'x'`, which leaves the header out.
    """

    body: DataFormat
    headers: tuple[tuple[str, bool], ...] | None
    header_columns: tuple[WebhookHeader, ...]
    check: WebhookCheck | None


@dataclass(frozen=True, slots=True)
class SchemaStrategy:
    """KEY STRATEGY or VALUE STRATEGY: INLINE 'schema', ID n, or LATEST."""

    schema: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class SchemaRegistry:
    """USING CONFLUENT SCHEMA REGISTRY CONNECTION c [KEY STRATEGY …] [VALUE STRATEGY …]."""

    connection: Place
    key: SchemaStrategy = SchemaStrategy()
    value: SchemaStrategy = SchemaStrategy()


@dataclass(frozen=True, slots=True)
class FoundSchemas:
    """The answers of registries, where they were asked."""

    key: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class PlainFormat:
    """JSON, TEXT and BYTES; `array` is JSON ARRAY, many rows in one body."""

    kind: str
    array: bool = False


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """FORMAT CSV, as written. `columns` is a number of columns; None: the first line names them, `header` if it says
    which."""

    columns: int | None
    header: tuple[str, ...]
    delimiter: str | None


@dataclass(frozen=True, slots=True)
class SchemaFormat:
    """AVRO and PROTOBUF; `schema` is a text, with `options`, or says where it is kept. `message` is PROTOBUF's."""

    kind: str
    schema: str | SchemaRegistry
    message: str | None = None
    options: tuple[Option, ...] = ()


DataFormat = PlainFormat | CsvFormat | SchemaFormat


@dataclass(frozen=True, slots=True)
class KeyValueFormat:
    """KEY FORMAT k VALUE FORMAT v."""

    key: DataFormat
    value: DataFormat


@dataclass(frozen=True, slots=True)
class Included:
    """INCLUDE KEY, PARTITION, OFFSET, TIMESTAMP or HEADERS [AS x]; `header` is that of HEADER 'h' AS x [BYTES]."""

    what: str
    name: str | None
    header: str | None = None
    as_bytes: bool = False


@dataclass(frozen=True, slots=True)
class SourceEnvelope:
    """NONE, UPSERT or DEBEZIUM."""

    kind: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Decoding:
    """The clauses about messages' decoding; `found` are the schemas that are left to registries."""

    format: DataFormat | KeyValueFormat | None = None
    include: tuple[Included, ...] = ()
    envelope: SourceEnvelope | None = None
    found: FoundSchemas | None = None


@dataclass(frozen=True, slots=True)
class ForTables:
    """FOR ALL TABLES; FOR TABLES (a AS b, …), by upstream's names and our own, if any; or FOR SCHEMAS (s, …)."""

    chosen: tuple[tuple[Place, Place | None], ...] | None
    schemas: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CreateSource:
    """CREATE SOURCE as written. `columns`: names; `options`: of WITH; `rest`: the byte behind the source's name.
    `published`: upstream's answer, once asked; `found_columns`: columns found in files, once read. `placed`: the bytes
    of IN CLUSTER.
    """

    name: Place
    if_not_exists: bool
    columns: tuple[str, ...]
    cluster: str | None
    upstream: FromConnection | FromAddress | FromGenerator | FromWebhook
    decoding: Decoding
    progress: Place | None
    options: tuple[Option, ...]
    rest: int
    tables: ForTables | None = None
    placed: tuple[int, int] | None = None
    published: Publication | None = None
    found_columns: tuple[ColumnDesc, ...] | None = None

    @property
    def kind(self) -> str:
        return "create_source_stmt"


@dataclass(frozen=True, slots=True)
class CreateTableFromSource:
    """CREATE TABLE … FROM SOURCE, as written. `upstream` are the options in parentheses, REFERENCE among them;
    `options` are those of WITH; at the byte `rest` begins what is written behind the source's name, if anything is.
    `found` is what the source reads, once that was looked up."""

    name: Place
    if_not_exists: bool
    columns: tuple[str, ...]
    source: Place
    rest: int | None
    upstream: tuple[Option, ...]
    decoding: Decoding
    options: tuple[Option, ...]
    found: FoundUpstream | None = None

    @property
    def kind(self) -> str:
        return "create_table_from_source_stmt"


SourceStatement = CreateSource | CreateTableFromSource
