"""The description of a sink that a replica gets: the collection to read, the destination, and when transactions
close. Plain data."""

from __future__ import annotations

from dataclasses import dataclass, replace

from model.external.sinks import ConnectorProgram, DirectoryOfFiles, FileFormat, SinkEnvelope, SinkPolicy, SqliteTable
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """A table of a PostgreSQL database.

    `settings`: of libpq, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    `table`: the parts of the table's name, as SQL has them
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MysqlTable:
    """A table of a MySQL or MariaDB server.

    `settings`: of a session, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    `table`: the parts of the table's name
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RedisKeys:
    """Keys of a database of a Redis server that begin with `target`, or the stream named `target`.

    `settings`: of a session, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    target: str


@dataclass(frozen=True, slots=True)
class DynamodbTable:
    """A table of DynamoDB.

    `settings`: of a client, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    table: str


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """The format of messages' keys or values: JSON, TEXT or AVRO. With AVRO the schemas are registered in the schema
    registry that `registry` names by a connection's options, without secrets."""

    name: str
    registry: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class DestinationTopic:
    """A topic of Kafka.

    `settings`: of all librdkafka clients, without secrets
    `producing`: further settings, of producers only
    `secrets`: the further settings whose values are secrets, by the secrets' ids; those of registries are called `key
        PASSWORD`, `value PASSWORD`, …
    `partitions`, `replicas`: used when the topic is created `headers`, `partition_by`: places of columns among the
    documents' columns the prefixes: keep sinks of several servers apart
    """

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
    """Objects of a bucket whose keys begin with `prefix`.

    `settings`: of a client of S3, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    bucket: str
    prefix: str
    format: FileFormat


@dataclass(frozen=True, slots=True)
class DeltaPlace:
    """A table of Delta Lake. `settings` and `secrets` are those of a client of S3, for a table in a bucket."""

    uri: str
    settings: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()


@dataclass(frozen=True, slots=True)
class IcebergPlace:
    """A table of Apache Iceberg in the directory `path`, given by its namespace and its name in the directory's
    catalog."""

    path: str
    table: tuple[str, str]

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A URL that documents are posted to. `authorization` is the value of the header where that is not a secret;
    otherwise `secrets` has the secret's id."""

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
    """A sink to be written by a replica.

    `name`: names the sink in the destination, where other servers may have sinks too
    `input`: the shard of the collection that is read
    `desc`: the collection's columns, the first ones of the shard
    `fallible`: the shard has one more column, with errors, behind the others or at `error_at`
    `columns`, `names`: the collection's columns that documents have, and their names there
    `key`: the key's places among the documents' columns; None: every change is a document
    `enforced`: two documents with one key are an error
    `sums`: places of the documents' columns that hold sums of changes
    `generation`: how often the sink was told to write everything anew
    `as_of`: the time from which the input is held
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
        """Describes the documents' columns."""
        named = zip(self.columns, self.names, strict=True)
        return RelationDesc(tuple(replace(self.desc.columns[at], name=name) for at, name in named))

    @property
    def of_keys(self) -> SinkDescription:
        """Returns the sink reduced to the columns of its key."""
        assert self.key is not None, "it has a key"
        columns, names = (tuple(self.columns[at] for at in self.key), tuple(self.names[at] for at in self.key))
        return replace(self, columns=columns, names=names, key=tuple(range(len(columns))), sums=())

    @property
    def tells_before(self) -> bool:
        """Tells whether a document also carries the previous row of its key (Debezium's `before`)."""
        place = self.place
        return isinstance(place, DestinationTopic) and place.envelope is SinkEnvelope.DEBEZIUM and self.key is not None

    @property
    def identity(self) -> str:
        """Names the contents of the destination: when the identity changes, everything is written anew."""
        return f"{self.input}/{self.generation}"

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        """Returns the id of the recovery log, whose frontier the controller follows."""
        return (self.sink,)
