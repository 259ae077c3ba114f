"""The closed union of changes to the catalog. A change is complete: ids and oids are allocated beforehand
(`allocate.IdAllocator`), so that a later state than the planned one can apply the same change.

`search_path` in a change decides how its errors and notices print names: unqualified where they are visible.
"""

from __future__ import annotations

from dataclasses import dataclass

from catalog.changes.roles.role_changes import RoleChange
from catalog.changes.table_changes import TableChange
from catalog.nouns.clusters import Cluster, ClusterReplica
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import Definition, FunctionDefinition, MaterializedView, ReadHold, SequenceDefinition, View
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import SourceTable
from model.ids.global_id import GlobalId
from planner.plans.types import AddedLabel, AttributeChange, DomainChange, RenamedLabel

SearchPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CreateDatabase:
    """Creates a database, with its schema `public`, whose oid is `public_oid`."""

    oid: int
    name: str
    owner: int
    public_oid: int


@dataclass(frozen=True, slots=True)
class CreateSchema:
    """Creates a schema in the existing database `database`. `temporary`: it is a session's; `own`: it is the server's.
    Users can't choose the names of either."""

    oid: int
    database: str
    name: str
    owner: int
    temporary: bool = False
    own: bool = False


@dataclass(frozen=True, slots=True)
class CreateItem:
    """Creates an item. `database` and `schema` are names that exist; the relations that a view references must exist,
    too."""

    id: GlobalId
    oid: int
    database: str
    schema: str
    name: str
    owner: int
    created_ms: int
    definition: Definition


@dataclass(frozen=True, slots=True)
class ReplaceView:
    """CREATE OR REPLACE: the same id and oid; where anything depends on it, columns may only be added, at the end."""

    id: GlobalId
    definition: View | MaterializedView


@dataclass(frozen=True, slots=True)
class ReplaceFunction:
    """CREATE OR REPLACE FUNCTION: the same id and oid, and the same parameters' types."""

    id: GlobalId
    definition: FunctionDefinition


@dataclass(frozen=True, slots=True)
class RebuildItems:
    """Gives indexes and materialized views new collections, because the preceding changes altered the meaning of the
    definitions. `rebuilt` pairs each rebuilt item, and each item that reads a rebuilt item, with the new collection."""

    rebuilt: tuple[tuple[GlobalId, GlobalId], ...]


@dataclass(frozen=True, slots=True)
class DropItems:
    """Drops items together; with `cascade`, also all that depends on them."""

    ids: tuple[GlobalId, ...]
    cascade: bool
    search_path: SearchPath = ()


@dataclass(frozen=True, slots=True)
class DropSchemas:
    """Drops schemas, by oid, together; without `cascade` they must be empty."""

    oids: tuple[int, ...]
    cascade: bool
    search_path: SearchPath = ()


@dataclass(frozen=True, slots=True)
class DropDatabase:
    """Drops a database with its contents. Items of another database must not depend on them."""

    oid: int


@dataclass(frozen=True, slots=True)
class AlterSequence:
    """Another definition for a sequence."""

    id: GlobalId
    definition: SequenceDefinition


@dataclass(frozen=True, slots=True)
class AlterEnum:
    """ADD VALUE or RENAME VALUE of an enum."""

    id: GlobalId
    change: AddedLabel | RenamedLabel


@dataclass(frozen=True, slots=True)
class AlterComposite:
    """Changes of a composite type's attributes, one after the other."""

    id: GlobalId
    changes: tuple[AttributeChange, ...]


@dataclass(frozen=True, slots=True)
class AlterDomain:
    """ALTER DOMAIN, but for renames."""

    id: GlobalId
    change: DomainChange


@dataclass(frozen=True, slots=True)
class AlterTable:
    """Changes a table's columns or checks; keys are items of their own."""

    id: GlobalId
    change: TableChange


@dataclass(frozen=True, slots=True)
class RenameItem:
    id: GlobalId
    name: str


@dataclass(frozen=True, slots=True)
class MoveItem:
    """Moves an item into the schema with an oid; a table takes its indexes and the sequences of its columns along."""

    id: GlobalId
    schema: int


@dataclass(frozen=True, slots=True)
class SwapItems:
    """Exchanges the names of two items of one schema."""

    id: GlobalId
    other: GlobalId


@dataclass(frozen=True, slots=True)
class SwapSchemas:
    """Exchanges the names of two schemas of one database, whatever they are called by then."""

    oid: int
    other: int


@dataclass(frozen=True, slots=True)
class RenameColumn:
    id: GlobalId
    column: str
    name: str


@dataclass(frozen=True, slots=True)
class RenameSchema:
    oid: int
    name: str


@dataclass(frozen=True, slots=True)
class RenameDatabase:
    oid: int
    name: str


@dataclass(frozen=True, slots=True)
class AlterRetainHistory:
    """None: the server's default."""

    id: GlobalId
    retain_history_ms: int | None


@dataclass(frozen=True, slots=True)
class AlterViewOptions:
    """Gives a view other options."""

    id: GlobalId
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetComment:
    """Sets the comment on the object with an oid, or on a column of it (from 1; 0 is the object itself); None
    removes it."""

    oid: int
    column: int
    text: str | None


@dataclass(frozen=True, slots=True)
class SetConfiguration:
    """None removes the entry."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class CreateReadHold:
    """Creates a read hold; its objects must exist."""

    hold: ReadHold


@dataclass(frozen=True, slots=True)
class TransferReadHold:
    """Gives a read hold to another owner, under new capabilities; the old ones become void."""

    name: str
    owner: int
    capabilities: tuple[tuple[GlobalId, str], ...]


@dataclass(frozen=True, slots=True)
class DropReadHold:
    name: str


@dataclass(frozen=True, slots=True)
class ForgetSlot:
    """A left replication slot is no more, or is nobody's business any longer; nothing where it isn't left."""

    slot: str


@dataclass(frozen=True, slots=True)
class AlterSecret:
    """Gives a secret another value."""

    id: GlobalId
    definition: Secret


@dataclass(frozen=True, slots=True)
class AlterConnection:
    """Alters a connection; raises 40001 when it is no longer what it was `before`."""

    id: GlobalId
    before: Connection
    definition: Connection


@dataclass(frozen=True, slots=True)
class AlterSourceTable:
    """Alters a source's table; raises 40001 when it is no longer what it was `before`."""

    id: GlobalId
    before: SourceTable
    definition: SourceTable


@dataclass(frozen=True, slots=True)
class AlterSink:
    """Alters a sink; raises 40001 when it is no longer what it was `before`."""

    id: GlobalId
    before: Sink
    definition: Sink


@dataclass(frozen=True, slots=True)
class CreateCluster:
    """Creates a cluster with its replicas."""

    cluster: Cluster


@dataclass(frozen=True, slots=True)
class RenameCluster:
    oid: int
    name: str


@dataclass(frozen=True, slots=True)
class SetPartitions:
    """Sets how many tasks work on a large step of the cluster's dataflows, as Cluster says."""

    oid: int
    partitions: int | None


@dataclass(frozen=True, slots=True)
class SwapClusters:
    """Gives two clusters each other's names."""

    oid: int
    other: int


@dataclass(frozen=True, slots=True)
class DropCluster:
    """Drops a cluster with its replicas; what it has run must have been dropped before."""

    oid: int


@dataclass(frozen=True, slots=True)
class SetCluster:
    """Has another cluster, by oid, run a source or a sink, or maintain a materialized view or an index. An index gets
    another `collection`: an arrangement is in the memory of one cluster; a view's shard stays."""

    id: GlobalId
    cluster: int
    collection: GlobalId | None = None


@dataclass(frozen=True, slots=True)
class CreateReplica:
    """Gives the cluster with an oid one more replica."""

    cluster: int
    replica: ClusterReplica


@dataclass(frozen=True, slots=True)
class DropReplica:
    """Takes a replica, by oid, from a cluster."""

    cluster: int
    replica: int


ChangeOfNames = RenameItem | MoveItem | SwapItems | RenameColumn | RenameSchema | SwapSchemas | RenameDatabase

Change = (
    CreateDatabase
    | CreateSchema
    | CreateItem
    | ReplaceView
    | ReplaceFunction
    | RebuildItems
    | DropItems
    | DropSchemas
    | DropDatabase
    | AlterSequence
    | AlterEnum
    | AlterComposite
    | AlterDomain
    | AlterTable
    | RenameItem
    | MoveItem
    | SwapItems
    | RenameColumn
    | RenameSchema
    | SwapSchemas
    | RenameDatabase
    | AlterRetainHistory
    | AlterViewOptions
    | SetComment
    | RoleChange
    | SetConfiguration
    | CreateReadHold
    | TransferReadHold
    | DropReadHold
    | ForgetSlot
    | AlterSecret
    | AlterConnection
    | AlterSourceTable
    | AlterSink
    | CreateCluster
    | RenameCluster
    | SetPartitions
    | SwapClusters
    | DropCluster
    | SetCluster
    | CreateReplica
    | DropReplica
)
