"""The closed union of changes to the catalog. Each is complete: the ids and oids that it gives were allocated before
(`allocate.IdAllocator`), so that the same change can be applied to a later state than the one it was made for.

`search_path` in a change says how names print in its errors and notices: unqualified when they are visible.
"""

from __future__ import annotations

from dataclasses import dataclass

from catalog.changes.table_changes import TableChange
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import Definition, MaterializedView, ReadHold, SequenceDefinition, View
from catalog.nouns.sinks import Sink
from catalog.nouns.sources import SourceTable
from model.ids.global_id import GlobalId
from planner.plans.types import AddedLabel, DomainChange, RenamedLabel

SearchPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CreateDatabase:
    """Also creates its schema `public`, with oid `public_oid`."""

    oid: int
    name: str
    owner: int
    public_oid: int


@dataclass(frozen=True, slots=True)
class CreateSchema:
    """`database` is the name of one that exists. `temporary`: it is a session's, whose names users can't give."""

    oid: int
    database: str
    name: str
    owner: int
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class CreateItem:
    """`database` and `schema` are names of what exists; a view's references must exist too."""

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
class RebuildItems:
    """Indexes and materialized views whose definitions have come to mean something else by the changes before it, of
    what they name. `rebuilt` gives the new collection of each, and of each that reads them."""

    rebuilt: tuple[tuple[GlobalId, GlobalId], ...]


@dataclass(frozen=True, slots=True)
class DropItems:
    """Drops together; with `cascade`, all that depends on them too."""

    ids: tuple[GlobalId, ...]
    cascade: bool
    search_path: SearchPath = ()


@dataclass(frozen=True, slots=True)
class DropSchemas:
    """Schemas by oid, dropped together; without `cascade` they must be empty."""

    oids: tuple[int, ...]
    cascade: bool
    search_path: SearchPath = ()


@dataclass(frozen=True, slots=True)
class DropDatabase:
    """With all that is in it. Items of another database must not depend on it."""

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
class AlterDomain:
    """ALTER DOMAIN, but for renames."""

    id: GlobalId
    change: DomainChange


@dataclass(frozen=True, slots=True)
class AlterTable:
    """Of its columns or its checks; keys are items of their own."""

    id: GlobalId
    change: TableChange


@dataclass(frozen=True, slots=True)
class RenameItem:
    id: GlobalId
    name: str


@dataclass(frozen=True, slots=True)
class SwapItems:
    """Two items of one schema exchange their names."""

    id: GlobalId
    other: GlobalId


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
class SetComment:
    """On an item or a schema by its oid, or on the column of that number (from 1) of a relation; None takes it away."""

    oid: int
    column: int
    text: str | None


@dataclass(frozen=True, slots=True)
class CreateRole:
    oid: int
    name: str
    superuser: bool
    createrole: bool
    createdb: bool
    login: bool


@dataclass(frozen=True, slots=True)
class DropRole:
    """It must own nothing."""

    oid: int


@dataclass(frozen=True, slots=True)
class SetConfiguration:
    """None removes the entry."""

    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class CreateReadHold:
    """What it is on must exist."""

    hold: ReadHold


@dataclass(frozen=True, slots=True)
class TransferReadHold:
    """To another owner, under new capabilities: the old ones are void."""

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
    """40001 when the connection is no longer what it was `before`."""

    id: GlobalId
    before: Connection
    definition: Connection


@dataclass(frozen=True, slots=True)
class AlterSourceTable:
    """40001 when the table is no longer what it was `before`."""

    id: GlobalId
    before: SourceTable
    definition: SourceTable


@dataclass(frozen=True, slots=True)
class AlterSink:
    """40001 when the sink is no longer what it was `before`."""

    id: GlobalId
    before: Sink
    definition: Sink


Change = (
    CreateDatabase
    | CreateSchema
    | CreateItem
    | ReplaceView
    | RebuildItems
    | DropItems
    | DropSchemas
    | DropDatabase
    | AlterSequence
    | AlterEnum
    | AlterDomain
    | AlterTable
    | RenameItem
    | SwapItems
    | RenameColumn
    | RenameSchema
    | RenameDatabase
    | AlterRetainHistory
    | SetComment
    | CreateRole
    | DropRole
    | SetConfiguration
    | CreateReadHold
    | TransferReadHold
    | DropReadHold
    | ForgetSlot
    | AlterSecret
    | AlterConnection
    | AlterSourceTable
    | AlterSink
)
