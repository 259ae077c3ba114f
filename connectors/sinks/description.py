"""What a replica is told of a sink: what it reads, where it writes, how transactions close. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.external.sinks import ConnectorProgram, DirectoryOfFiles, FileFormat, SinkEnvelope, SinkPolicy, SqliteTable
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """A table of a PostgreSQL database, `table` as it is written in SQL, in parts. `settings` are libpq's; of `secrets`
    it has the values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MysqlTable:
    """A table of a MySQL or MariaDB server, `table` in parts. `settings` are a session's; of `secrets` it has the
    values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RedisKeys:
    """Keys of a Redis server's database that begin with `target`, or the stream of that name. `settings` are a
    session's; of `secrets` it has the values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    target: str


@dataclass(frozen=True, slots=True)
class DynamodbTable:
    """A table of DynamoDB. `settings` are those of a client; of `secrets` it has the values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: str


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """How a part of messages is written: JSON, TEXT, or AVRO, whose schemas are registered by the options of
    `registry`, which are as those of a connection to it, without secrets."""

    name: str
    registry: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class DestinationTopic:
    """A topic of Kafka. `settings` are librdkafka's for all of its clients, `producing` those of producers; of
    `secrets` it has the values of these, which of registries are called `key PASSWORD`, `value PASSWORD`, ….
    `partitions` and `replicas` are for when it is made. The prefixes tell sinks of several servers apart. `headers` and
    `partition_by` are places among the documents' columns."""

    settings: tuple[tuple[str, str], ...]
    producing: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    topic: str
    envelope: SinkEnvelope
    key_format: MessageFormat
    value_format: MessageFormat
    partitions: int | None = None
    replicas: int | None = None
    transactional_prefix: str = ""
    group_prefix: str = ""
    headers: int | None = None
    partition_by: int | None = None


@dataclass(frozen=True, slots=True)
class BucketOfFiles:
    """Objects of a bucket whose keys begin with `prefix`. `settings` are those of a client; of `secrets` it has the
    values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    bucket: str
    prefix: str
    format: FileFormat


@dataclass(frozen=True, slots=True)
class DeltaPlace:
    """A table of Delta Lake; of buckets `settings` are those of a client, and `secrets` has it the values of these."""

    uri: str
    settings: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()


@dataclass(frozen=True, slots=True)
class IcebergPlace:
    """A table of Apache Iceberg, its namespace and its name, by the catalog of a directory."""

    path: str
    table: tuple[str, str]

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where documents are posted to over HTTP; `authorization` is told there, if it is no secret. Of `secrets` it has
    the values of these."""

    url: str
    authorization: str | None
    secrets: tuple[tuple[str, GlobalId], ...]


SinkPlace = (
    SqliteTable
    | PostgresTable
    | MysqlTable
    | RedisKeys
    | DynamodbTable
    | DirectoryOfFiles
    | ConnectorProgram
    | DestinationTopic
    | BucketOfFiles
    | DeltaPlace
    | IcebergPlace
    | Endpoint
)


@dataclass(frozen=True, slots=True)
class SinkDescription:
    """A sink that is written.

    `name` is what it is called in destinations, where others may have sinks too. `input` is a collection's shard, of
    which the first columns are `desc`; `fallible`: one more holds its errors, or that at `error_at`. Documents have
    those `columns` of it, by these `names`; `key` are places among these, None: every change is a document. `enforced`:
    two documents of a key are an error. `sums` are places of the documents that changes are added up in. `generation`:
    how often it was told to write all anew. `as_of` is from when on the input is held.
    """

    sink: GlobalId
    name: str
    input: str
    desc: RelationDesc
    fallible: bool
    columns: tuple[int, ...]
    names: tuple[str, ...]
    key: tuple[int, ...] | None
    enforced: bool
    place: SinkPlace
    policy: SinkPolicy
    as_of: Antichain
    sums: tuple[int, ...] = ()
    generation: int = 0
    error_at: int | None = None

    @property
    def documents(self) -> RelationDesc:
        """What documents are made of."""
        named = zip(self.columns, self.names, strict=True)
        return RelationDesc(tuple(replace(self.desc.columns[at], name=name) for at, name in named))

    @property
    def of_keys(self) -> SinkDescription:
        """The sink as if it had the columns of its key only."""
        assert self.key is not None, "it has a key"
        columns, names = (tuple(self.columns[at] for at in self.key), tuple(self.names[at] for at in self.key))
        return replace(self, columns=columns, names=names, key=tuple(range(len(columns))), sums=())

    @property
    def tells_before(self) -> bool:
        """Whether documents come with what their keys had."""
        place = self.place
        return isinstance(place, DestinationTopic) and place.envelope is SinkEnvelope.DEBEZIUM and self.key is not None

    @property
    def identity(self) -> str:
        """What the destination holds: once this is another, all is written anew."""
        return f"{self.input}/{self.generation}"

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        """Its recovery log, by whose frontiers it is followed."""
        return (self.sink,)
