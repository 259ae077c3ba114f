"""The description of a source that a replica gets: where the records are, and how they become rows. Plain data.

A source has one upstream, one remap collection, and any number of data collections with the same bindings: its own, and
those of the tables created from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from connectors.registry.place import RegistryPlace
from connectors.upstream import UpstreamPlace
from model.external.files import FilePattern
from model.external.generators import LoadGenerator, UpstreamTable
from model.external.publications import PublishedTable, UpstreamSystem
from model.external.records import RecordEncoding
from model.ids.global_id import GlobalId
from model.time.antichain import Antichain
from model.types.relation_desc import RelationDesc


@dataclass(frozen=True, slots=True)
class Generated:
    """The output of a load generator."""

    generator: LoadGenerator

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Returns no settings: no client reads it."""
        return ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the description needs none."""
        return ()


@dataclass(frozen=True, slots=True)
class PostgresTables:
    """Tables of a publication, copied once, then followed by a replication slot.

    `settings`: of libpq, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    `system`: the database system, whose WAL the positions refer to
    `lasting`: false for a slot that ends with its reader's connection
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    publication: str
    slot: str
    system: UpstreamSystem
    tables: tuple[PublishedTable, ...]
    lasting: bool = True


@dataclass(frozen=True, slots=True)
class FilesOfServer:
    """Files of the server.

    `parquet`: the columns to read of Parquet files, by the files' names; None for lines
    `until_ms`: where files are read only once, the time of the newest files to read
    """

    files: FilePattern
    parquet: RelationDesc | None
    until_ms: int | None

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Returns no settings: no client reads it."""
        return ()

    @property
    def secrets(self) -> tuple[tuple[str, GlobalId], ...]:
        """Returns no secrets: the description needs none."""
        return ()


@dataclass(frozen=True, slots=True)
class ObjectsOfBucket:
    """Objects of a bucket, found by listing it, by notifications in a queue, or both. `parquet` and `until_ms` are as
    in `FilesOfServer`.

    `settings`: of a client, without secrets
    `secrets`: the further settings whose values are secrets, by the secrets' ids
    """

    settings: tuple[tuple[str, str], ...]
    secrets: tuple[tuple[str, GlobalId], ...]
    bucket: str | None
    queue: str | None
    files: FilePattern
    parquet: RelationDesc | None
    until_ms: int | None


class CollectionType(StrEnum):
    """The kind of a source's collection: upstream's data, or the remap collection."""

    RECLOCKED = "reclocked"
    REMAPPING = "remapping"


@dataclass(frozen=True, slots=True)
class StorageCollectionId:
    """A collection of a source, as storage's commands name it (source: seed 3)."""

    source: GlobalId
    type: CollectionType

    @property
    def id(self) -> GlobalId:
        """The id of the collection's shard."""
        return self.source if self.type is CollectionType.RECLOCKED else GlobalId.remapping(self.source)


@dataclass(frozen=True, slots=True)
class ReclockedCollection:
    """A data collection of a source.

    `desc`: the shard's columns, all nullable, with a text column `err` at `error_at` or at the end; an error is a row
        whose `err` is "SQLSTATE message", and whose other columns are NULL
    `registries`: of the encoding
    `joins`: a collection added to a running source is empty until the bound of its note in the remap reaches this
        number
    `former`: upstream's tables as they were before each refresh; a refreshed table joins once more, with all rows anew,
        and is read as the matching entry of `former` until then
    """

    id: GlobalId
    desc: RelationDesc
    encoding: RecordEncoding | UpstreamTable
    registries: tuple[RegistryPlace, ...] = ()
    joins: int = 0
    former: tuple[PublishedTable, ...] = ()
    error_at: int | None = None

    def followed_as(self, joined: int) -> PublishedTable | None:
        """Returns the former table as which the collection is still read, when it has joined `joined` times and been
        refreshed since; None otherwise."""
        behind = self.joins - joined
        return self.former[-behind] if 0 < behind <= len(self.former) else None

    def is_followed(self, joined: int) -> bool:
        """Tells whether upstream's changes are bound for the collection, when it has joined `joined` times."""
        return joined >= self.joins or self.followed_as(joined) is not None


@dataclass(frozen=True, slots=True)
class BindingPolicy:
    """The moments of bindings: when records have arrived, and at the latest every `interval_ms`; a binding covers at
    most `records_max` records and `bytes_max` bytes."""

    interval_ms: int = 1_000
    records_max: int = 50_000
    bytes_max: int = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Follower:
    """A source whose records are bound by whole transactions, together with the source that reads the transactions'
    topic. `counted_as` is the name of its collection in that topic."""

    source: GlobalId
    place: UpstreamPlace
    collections: tuple[ReclockedCollection, ...]
    counted_as: str


@dataclass(frozen=True, slots=True)
class IngestionDescription:
    """A source to read. Its first binding has the time `as_of` or later. With followers, its records are the
    transactions' topic, and all these sources are bound together."""

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
        """The ids of the source's own collections."""
        return (self.remapping, *(each.id for each in self.collections))

    @property
    def export_ids(self) -> tuple[GlobalId, ...]:
        """The ids of all collections that the ingestion writes."""
        return tuple(id_ for each in members(self) for id_ in each.own_ids)


def followed_place(
    place: UpstreamPlace, collections: Iterable[ReclockedCollection], joined: Callable[[GlobalId], int]
) -> UpstreamPlace:
    """Returns the place as it is read while collections have joined so often: a table refreshed since then is read
    as it was before."""
    if not isinstance(place, PostgresTables):
        return place
    former = {
        table.full_name: table for each in collections if (table := each.followed_as(joined(each.id))) is not None
    }
    return replace(place, tables=tuple(former.get(table.full_name, table) for table in place.tables))


def members(description: IngestionDescription) -> tuple[IngestionDescription, ...]:
    """Returns a description for each source that is bound together, the transactions' topic first."""
    policy, as_of = description.policy, description.as_of
    followers = (
        IngestionDescription(each.source, each.place, each.collections, policy, as_of) for each in description.followers
    )
    return (replace(description, followers=()), *followers)
