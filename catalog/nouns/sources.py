"""What a catalog holds of sources: where their records are, what rows become of them, how often they are bound."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from catalog.nouns.connections import Connection
from connectors.sources.gauge import (
    FILE_BYTES,
    GENERATOR_STEPS,
    KAFKA_OFFSETS,
    KINESIS_SEQUENCE_NUMBERS,
    POSTGRES_LSN,
    PUBNUB_TIMETOKENS,
    Gauge,
)
from model.external.files import BucketObjects, FilePattern
from model.external.generators import LoadGenerator, UpstreamTable
from model.external.publications import Publication, PublishedTable
from model.external.records import RecordEncoding, registries_of
from model.ids.global_id import GlobalId
from model.ids.written_text import WrittenText
from model.types.column_layout import ColumnLayout, dropped_name, plain_layout
from model.types.relation_desc import ColumnDesc, RelationDesc
from model.types.scalar_type import TEXT


@dataclass(frozen=True, slots=True)
class KafkaRecords:
    """A topic, of a connection's brokers; without one, `settings` are librdkafka's. `start` and
    `refresh_ms` as in connectors.sources.description; `start_ms` below 0 counts from the source's creation. `identity`:
    the brokers that were asked at its creation, and what they called the topic and no other."""

    connection: GlobalId | None
    settings: tuple[tuple[str, str], ...]
    topic: str
    start: tuple[tuple[int, int], ...]
    start_ms: int | None = None
    group_prefix: str = ""
    refresh_ms: int | None = None
    identity: tuple[str, str] | None = None

    @property
    def topic_id(self) -> str | None:
        """What brokers called the topic and no other when the source was created."""
        return None if self.identity is None else self.identity[1]

    def topic_id_at(self, brokers: str) -> str | None:
        """As `topic_id`, where these are the brokers still: others have ids of their own."""
        return None if self.identity is None or self.identity[0] != brokers else self.identity[1]

    def group_of(self, source: GlobalId) -> str:
        """The consumer group under which brokers are told how far the source is."""
        return f"{self.group_prefix}headwater-{source}"


@dataclass(frozen=True, slots=True)
class PostgresRecords:
    """Tables of a publication, as they were found when the source was created."""

    connection: GlobalId
    publication: Publication


@dataclass(frozen=True, slots=True)
class KinesisRecords:
    """Records of a stream, by its name or ARN."""

    connection: GlobalId
    stream: str


@dataclass(frozen=True, slots=True)
class PubnubRecords:
    """Messages of a channel; `origin` is where PubNub is."""

    origin: str
    subscribe_key: str
    channel: str


UpstreamRecords = (
    KafkaRecords | LoadGenerator | PostgresRecords | PubnubRecords | KinesisRecords | FilePattern | BucketObjects
)
"""Where the records of a source are."""


@dataclass(frozen=True, slots=True)
class Transactions:
    """The source that tells of transactions, and what a collection is called there."""

    source: GlobalId
    counted_as: str


@dataclass(frozen=True, slots=True)
class Source:
    """A source; its own data collection has its id, and so does, for storage, its remap collection. `rest` is what
    CREATE SOURCE says behind the name. With `transactions` it is bound by whole ones. A binding covers at most
    `records_max` and `bytes_max`, where they are said."""

    desc: RelationDesc
    records: UpstreamRecords
    encoding: RecordEncoding | UpstreamTable
    interval_ms: int
    retain_history_ms: int | None
    rest: WrittenText
    transactions: Transactions | None = None
    records_max: int | None = None
    bytes_max: int | None = None

    @property
    def connection(self) -> GlobalId | None:
        """By which its records are reached."""
        return (
            None if isinstance(self.records, LoadGenerator | PubnubRecords | FilePattern) else self.records.connection
        )

    @property
    def gauge(self) -> Gauge:
        """How far it has come is told by this."""
        match self.records:
            case KafkaRecords():
                return KAFKA_OFFSETS
            case LoadGenerator():
                return GENERATOR_STEPS
            case PostgresRecords():
                return POSTGRES_LSN
            case PubnubRecords():
                return PUBNUB_TIMETOKENS
            case KinesisRecords():
                return KINESIS_SEQUENCE_NUMBERS
            case FilePattern() | BucketObjects():
                return FILE_BYTES
            case _:
                assert_never(self.records)

    @property
    def kind(self) -> str:
        """As the catalog's relations call it."""
        match self.records:
            case KafkaRecords():
                return "kafka"
            case LoadGenerator():
                return "load-generator"
            case PostgresRecords():
                return "postgres"
            case PubnubRecords():
                return "pubnub"
            case KinesisRecords():
                return "kinesis"
            case FilePattern():
                return "files"
            case BucketObjects():
                return "s3"
            case _:
                assert_never(self.records)

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The connections and the source that it names."""
        told = None if self.transactions is None else self.transactions.source
        named = (self.connection, told, *_registries_of(self.encoding))
        return frozenset(id_ for id_ in named if id_ is not None)


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table that reads from a source: one more data collection, under the same remap collection. A subsource goes
    with the source; a table that a CREATE TABLE made does not, and `rest` is what that said behind the source's name.
    One that was `added` to a source that was there has what upstream published of it then, where that is a table.

    REFRESH keeps what it was followed as before, in `former`. Columns that came with it are stored behind what was
    there, so the errors, which lie behind the columns that the table had first, come to lie between: `desc` has all
    that is stored, and by `layout` that one is no column (None: all are)."""

    desc: RelationDesc
    source_id: GlobalId
    encoding: RecordEncoding | UpstreamTable
    retain_history_ms: int | None
    added: bool = False
    published: PublishedTable | None = None
    rest: WrittenText | None = None
    former: tuple[PublishedTable, ...] = ()
    layout: ColumnLayout | None = None

    @property
    def joins(self) -> int:
        """How often it is to join the source: when it was added, and each time it was refreshed."""
        return int(self.added) + len(self.former)

    @property
    def error_at(self) -> int | None:
        """Where errors are stored; None: behind all columns."""
        return None if self.layout is None else len(self.former[0].columns)

    def refreshed(self, known: PublishedTable, published: PublishedTable) -> SourceTable:
        """Followed as `published`, which has the columns of `known`, and perhaps others behind them."""
        columns, layout = list(self.desc.columns), self.layout
        for column in published.columns[len(known.columns) :]:
            if layout is None:
                layout = plain_layout(len(columns))
                columns.append(ColumnDesc(dropped_name(len(columns) + 1), TEXT))
            layout = layout.with_added(len(columns))
            columns.append(ColumnDesc(column.name, column.type))
        former = (*self.former, known)
        return replace(self, desc=RelationDesc(tuple(columns)), published=published, former=former, layout=layout)

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The source, and the registries that its encoding names."""
        return frozenset((self.source_id, *_registries_of(self.encoding)))


def _registries_of(encoding: RecordEncoding | UpstreamTable) -> Iterable[GlobalId]:
    return registries_of(encoding) if isinstance(encoding, RecordEncoding) else ()


@dataclass(frozen=True, slots=True)
class SourceProgress:
    """A source progress relation: how far a source is bound. Its id means nothing to storage (source: seed 3)."""

    source_id: GlobalId
    desc: RelationDesc


@dataclass(frozen=True, slots=True)
class LeftSlot:
    """A replication slot that a dropped source has left upstream: all that is needed to drop it. `system` identifies
    the database system that has it; `sealed` are the secrets of the connection's options."""

    slot: str
    system: str
    source: GlobalId
    source_name: str
    connection_id: GlobalId
    connection: Connection
    sealed: tuple[tuple[GlobalId, str], ...]
