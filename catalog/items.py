"""What a catalog holds, as data. Objects refer to each other by oid or GlobalId, never by name, so that a rename
is a change of one object.

A view's SQL is bound to what it named when it was created: `references` says which item each written name meant,
and by which names its columns went. Renames therefore never touch SQL text: planning a view again happens in a
catalog where the old names still mean the same items (`view.BoundCatalogView`).
"""

from __future__ import annotations

from dataclasses import dataclass

from model.global_id import GlobalId
from model.relation_desc import RelationDesc
from planner.catalog_view import ItemKind, QualifiedName

SUPERUSER_OID = 10
"""The role that a catalog begins with, as in PostgreSQL."""

PUBLIC_OWNER_OID = 6171
"""pg_database_owner, PostgreSQL's own role, which owns every schema `public`."""


@dataclass(frozen=True, slots=True)
class Role:
    """`superuser` implies every other right."""

    oid: int
    name: str
    superuser: bool
    createrole: bool
    createdb: bool
    login: bool
    inherit: bool = True


@dataclass(frozen=True, slots=True)
class Database:
    """`owner` is a role's oid."""

    oid: int
    name: str
    owner: int


@dataclass(frozen=True, slots=True)
class Schema:
    """`database` and `owner` are oids."""

    oid: int
    database: int
    name: str
    owner: int


@dataclass(frozen=True, slots=True)
class Table:
    """`defaults` holds the SQL text of each column's DEFAULT; `retain_history_ms` None is the server's default."""

    desc: RelationDesc
    defaults: tuple[str | None, ...]
    retain_history_ms: int | None
    create_sql: str


@dataclass(frozen=True, slots=True)
class Reference:
    """In a view's SQL, `name` means item `id`, whose columns it knows as `columns`."""

    name: QualifiedName
    id: GlobalId
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """`create_sql` stands as it was written, complete and qualified, in database `written.database` for a view named
    `written`; `query_columns` are what its query itself calls its columns; `desc` gives their present names."""

    desc: RelationDesc
    create_sql: str
    references: tuple[Reference, ...]
    written: QualifiedName
    query_columns: tuple[str, ...]


Definition = Table | View


@dataclass(frozen=True, slots=True)
class Item:
    """`schema` and `owner` are oids; `created_ms` is the timestamp (milliseconds) at which it came to be."""

    id: GlobalId
    oid: int
    schema: int
    name: str
    owner: int
    created_ms: int
    definition: Definition

    @property
    def kind(self) -> ItemKind:
        return ItemKind.TABLE if isinstance(self.definition, Table) else ItemKind.VIEW

    @property
    def desc(self) -> RelationDesc:
        return self.definition.desc

    @property
    def depends_on(self) -> frozenset[GlobalId]:
        """The relations it names, system relations included."""
        if isinstance(self.definition, Table):
            return frozenset()
        return frozenset(reference.id for reference in self.definition.references)
