"""What a replica is told of a source: where its records are, and what rows become of them. Plain data.

One source has one upstream, one remap collection, and any number of data collections, all bound by the same bindings:
its own, and those of tables that were created from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from connectors.registry.place import RegistryPlace
from connectors.sources.gauge import (
    FILE_BYTES,
    GENERATOR_STEPS,
    KAFKA_OFFSETS,
    KINESIS_SEQUENCE_NUMBERS,
    POSTGRES_LSN,
    PUBNUB_TIMETOKENS,
    Gauge,
)
from model.external.files import FilePattern
from model.external.generators import LoadGenerator, UpstreamTable
from model.external.publications import PublishedTable, UpstreamSystem
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc

REFRESH_MS = 5_000
"""How often a topic is asked for new partitions, by default."""


@dataclass(frozen=True, slots=True)
class KafkaTopic:
    """Records of a topic. `settings` are librdkafka's; of `secrets` it has the values of these. `start`: the first
    offset of partitions that are not read from their beginning; `start_ms`: the time, in ms since 1970, of the first
    record that is read. `topic_id` is what brokers call the topic and no other, where that is known. Partitions that
    come are found within `refresh_ms`."""

    settings: tuple[tuple[str, str], ...]
    topic: str
    start: tuple[tuple[int, int], ...] = ()
    secrets: tuple[tuple[str, GlobalId], ...] = ()
    start_ms: int | None = None
    refresh_ms: int = REFRESH_MS
    topic_id: str | None = None

    @property
    def gauge(self) -> Gauge:
        return KAFKA_OFFSETS


@dataclass(frozen=True, slots=True)
class Generated:
    """What a load generator does."""

    generator: LoadGenerator

    @property
    def gauge(self) -> Gauge:
        return GENERATOR_STEPS

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class PostgresTables:
    """Tables of a publication, copied once and then followed by `slot`. `settings` are libpq's; of `secrets` it has the
    values of these. `system` is the database system that WAL positions are of. A slot that is not `lasting` ends with
    its reader's connection."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    publication: str
    slot: str
    system: UpstreamSystem
    tables: tuple[PublishedTable, ...]
    lasting: bool = True

    @property
    def gauge(self) -> Gauge:
        return POSTGRES_LSN


@dataclass(frozen=True, slots=True)
class PubnubChannel:
    """Messages of a channel. `origin` is asked, and told that it is `listener` who asks."""

    origin: str
    subscribe_key: str
    channel: str
    listener: str

    @property
    def gauge(self) -> Gauge:
        return PUBNUB_TIMETOKENS

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class KinesisStream:
    """Records of a stream, by its name or ARN. `settings` are those of a client of Amazon's; of `secrets` it has the
    values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    stream: str

    @property
    def gauge(self) -> Gauge:
        return KINESIS_SEQUENCE_NUMBERS


@dataclass(frozen=True, slots=True)
class FilesOfServer:
    """Files of the server's. `parquet`: their columns, by their own names. Of files that are read once only those are
    that were there at `until_ms`."""

    files: FilePattern
    parquet: RelationDesc | None
    until_ms: int | None

    @property
    def gauge(self) -> Gauge:
        return FILE_BYTES

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """None are needed."""
        return ()


@dataclass(frozen=True, slots=True)
class ObjectsOfBucket:
    """Objects of a bucket, and those that a queue tells of; `parquet` and `until_ms` as of files. `settings` are those
    of a client of Amazon's; of `secrets` it has the values of these."""

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    bucket: str | None
    queue: str | None
    files: FilePattern
    parquet: RelationDesc | None
    until_ms: int | None

    @property
    def gauge(self) -> Gauge:
        return FILE_BYTES


UpstreamPlace = (
    KafkaTopic | Generated | PostgresTables | PubnubChannel | KinesisStream | FilesOfServer | ObjectsOfBucket
)
DivisiblePlace = KafkaTopic | FilesOfServer | ObjectsOfBucket
"""What tasks may read ranges of."""


class CollectionType(StrEnum):
    """Which collection of a source: upstream's data, or the reclocking mappings."""

    RECLOCKED = "reclocked"
    REMAPPING = "remapping"


@dataclass(frozen=True, slots=True)
class StorageCollectionId:
    """A collection of a source, as storage's commands name it (source: seed 3)."""

    source: GlobalId
    type: CollectionType

    @property
    def id(self) -> GlobalId:
        """What the collection's shard is called."""
        return self.source if self.type is CollectionType.RECLOCKED else GlobalId.remapping(self.source)


@dataclass(frozen=True, slots=True)
class ReclockedCollection:
    """A data collection of a source. `desc` is its shard's: its columns, all nullable, then the text `err`, in which
    errors lie as rows ("SQLSTATE message"; the other columns are NULL), or has that at `error_at`. `registries` are
    those of the encoding.

    One that was added to a source that was there holds nothing until it joins: until the bound of a note is `joins`.
    Each of upstream's tables that was refreshed joins once more, with all its rows anew; until then it is followed as
    the one of `former` that is so far behind."""

    id: GlobalId
    desc: RelationDesc
    encoding: RecordEncoding | UpstreamTable
    registries: tuple[RegistryPlace, ...] = ()
    joins: int = 0
    former: tuple[PublishedTable, ...] = ()
    error_at: int | None = None

    def followed_as(self, joined: int) -> PublishedTable | None:
        """What it is followed as, where it has joined so often, if it has been refreshed since."""
        behind = self.joins - joined
        return self.former[-behind] if 0 < behind <= len(self.former) else None

    def is_followed(self, joined: int) -> bool:
        """Whether what upstream does is bound, where it has joined so often."""
        return joined >= self.joins or self.followed_as(joined) is not None


@dataclass(frozen=True, slots=True)
class BindingPolicy:
    """A binding comes when records come, and at the latest every `interval_ms`; it covers so many records and bytes at
    most."""

    interval_ms: int = 1_000
    records_max: int = 50_000
    bytes_max: int = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Follower:
    """A source that is bound by whole transactions, together with the one that tells of these; `counted_as` is what its
    collection is called there."""

    source: GlobalId
    place: UpstreamPlace
    collections: tuple[ReclockedCollection, ...]
    counted_as: str


@dataclass(frozen=True, slots=True)
class IngestionDescription:
    """A source that is read. Its first binding is at `as_of` or later. With followers its records tell of transactions,
    and all of them are bound together."""

    source: GlobalId
    place: UpstreamPlace
    collections: tuple[ReclockedCollection, ...]
    policy: BindingPolicy
    as_of: Antichain
    followers: tuple[Follower, ...] = ()

    @property
    def remapping(self) -> GlobalId:
        """The remap collection."""
        return GlobalId.remapping(self.source)

    @property
    def own_ids(self) -> tuple[GlobalId, ...]:
        """The collections of the source itself."""
        return (self.remapping, *(each.id for each in self.collections))

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        """All collections that are written."""
        return tuple(id_ for each in members(self) for id_ in each.own_ids)


def followed_place(
    place: UpstreamPlace, collections: Iterable[ReclockedCollection], joined: Callable[[GlobalId], int]
) -> UpstreamPlace:
    """What is read where collections have joined so often: those that were refreshed since are followed as before."""
    if not isinstance(place, PostgresTables):
        return place
    former = {
        table.full_name: table for each in collections if (table := each.followed_as(joined(each.id))) is not None
    }
    return replace(place, tables=tuple(former.get(table.full_name, table) for table in place.tables))


def members(description: IngestionDescription) -> tuple[IngestionDescription, ...]:
    """The sources that are bound together, each by itself; the one that tells of transactions is the first."""
    policy, as_of = description.policy, description.as_of
    followers = (
        IngestionDescription(each.source, each.place, each.collections, policy, as_of) for each in description.followers
    )
    return (replace(description, followers=()), *followers)
