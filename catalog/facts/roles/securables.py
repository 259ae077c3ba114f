"""Objects with privileges. Where nobody has granted or revoked anything an object has no list of its own, and the list
of its kind in PostgreSQL: all to the owner, and to PUBLIC everybody's rights from the beginning."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.declared.listing import declared_with_oid
from catalog.declared.relation import RelationKind
from catalog.nouns.acl import Acl, AclItem
from catalog.nouns.items import PUBLIC_OWNER_OID, SUPERUSER_OID, Composite, Item, SequenceDefinition
from catalog.nouns.system_schemas import SYSTEM_SCHEMAS
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.catalog_view import ItemKind
from planner.privileges import PUBLIC

ALL_RIGHTS = {
    "table": "arwdDxt",
    "column": "arwx",
    "sequence": "rwU",
    "database": "CTc",
    "schema": "UC",
    "type": "U",
    "function": "X",
    "language": "U",
    "connection": "U",
    "secret": "U",
    "sink": "",
    "cluster": "UC",
    "large object": "rw",
}
"""All that can be granted on an object, by the kind of its list."""

_PUBLIC_RIGHTS = {"database": "Tc", "type": "U", "function": "X", "language": "U"}
_KINDS = {
    ItemKind.SEQUENCE: "sequence",
    ItemKind.TYPE: "type",
    ItemKind.FUNCTION: "function",
    ItemKind.CONNECTION: "connection",
    ItemKind.SECRET: "secret",
    ItemKind.SINK: "sink",
}
_FOR_NOBODY = frozenset(
    (
        "pg_authid",
        "pg_shadow",
        "pg_statistic",
        "pg_statistic_ext_data",
        "pg_user_mapping",
        "pg_hba_file_rules",
        "pg_file_settings",
    )
)
"""System relations that only superusers may read."""


@dataclass(frozen=True, slots=True)
class Securable:
    """An object with privileges. `kind` is the kind of list (a key of ALL_RIGHTS), `noun` the word in errors;
    `database_owner` is the owner of the object's database; nobody writes `system` objects."""

    kind: str
    noun: str
    name: str
    oid: int
    owner: int
    acl: Acl
    database_owner: int | None = None
    system: bool = False

    def refusal(self) -> SqlError:
        return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"permission denied for {self.noun} {self.name}")

    def not_owner(self) -> SqlError:
        return SqlError(Sqlstate.INSUFFICIENT_PRIVILEGE, f"must be owner of {self.noun} {self.name}")


def default_acl(kind: str, owner: int) -> Acl:
    """Returns an object's list before anybody has granted anything."""
    public = _PUBLIC_RIGHTS.get(kind, "")
    own = ALL_RIGHTS[kind]
    shared = (AclItem(PUBLIC, owner, public),) if public else ()
    return (*shared, AclItem(owner, owner, own)) if own else shared


def first_acl_of_public() -> Acl:
    """Returns the list of a schema `public`, as a database begins with it."""
    owner = PUBLIC_OWNER_OID
    return AclItem(owner, owner, ALL_RIGHTS["schema"]), AclItem(PUBLIC, owner, "U")


def first_acl_of_cluster() -> Acl:
    """Returns the list of the cluster `default`, as a catalog begins with it: everybody may use it and create in it."""
    owner, rights = SUPERUSER_OID, ALL_RIGHTS["cluster"]
    return AclItem(owner, owner, rights), AclItem(PUBLIC, owner, rights)


def acl_of(state: CatalogState, kind: str, oid: int, owner: int) -> Acl:
    kept = state.acls.get((oid, 0))
    return default_acl(kind, owner) if kept is None else kept


def column_acl(state: CatalogState, oid: int, column: int) -> Acl:
    return state.acls.get((oid, column), ())


def list_kind(item: Item) -> str:
    """Returns the kind of an item's access list: sources and views have a table's."""
    return _KINDS.get(item.kind, "table")


def item_securable(state: CatalogState, item: Item) -> Securable:
    kind = list_kind(item)
    noun = {"domain": "type"}.get(item.kind.value, item.kind.value)
    if isinstance(item.definition, Composite | SequenceDefinition):
        noun = "type" if isinstance(item.definition, Composite) else "sequence"
    database = state.databases[state.schemas[item.schema].database]
    acl = acl_of(state, kind, item.oid, item.owner)
    return Securable(kind, noun, item.name, item.oid, item.owner, acl, database.owner)


def relation_securable(state: CatalogState, oid: int) -> Securable | None:
    """Returns a relation, type or access object by its oid, system relations included."""
    builtin = declared_with_oid(oid)
    if builtin is not None:
        shown = () if builtin.name in _FOR_NOBODY else (AclItem(PUBLIC, SUPERUSER_OID, "r"),)
        acl = (AclItem(SUPERUSER_OID, SUPERUSER_OID, ALL_RIGHTS["table"]), *shown)
        noun = "table" if builtin.kind is RelationKind.TABLE else "view"
        return Securable("table", noun, builtin.name, oid, SUPERUSER_OID, acl, system=True)
    item = state.item_by_oid(oid)
    return None if item is None else item_securable(state, item)


def schema_securable(state: CatalogState, oid: int) -> Securable | None:
    for system in SYSTEM_SCHEMAS:
        if system.oid == oid:
            shown = AclItem(SUPERUSER_OID, SUPERUSER_OID, "UC"), AclItem(PUBLIC, SUPERUSER_OID, "U")
            return Securable("schema", "schema", system.name, oid, SUPERUSER_OID, shown)
    schema = state.schemas.get(oid)
    if schema is None:
        return None
    acl = acl_of(state, "schema", oid, schema.owner)
    owner = state.databases[schema.database].owner
    return Securable("schema", "schema", schema.name, oid, schema.owner, acl, owner)


def database_securable(state: CatalogState, oid: int) -> Securable | None:
    database = state.databases.get(oid)
    if database is None:
        return None
    acl = acl_of(state, "database", oid, database.owner)
    return Securable("database", "database", database.name, oid, database.owner, acl, database.owner)


def cluster_securable(state: CatalogState, oid: int) -> Securable | None:
    cluster = state.clusters.get(oid)
    if cluster is None:
        return None
    acl = acl_of(state, "cluster", oid, cluster.owner)
    return Securable("cluster", "cluster", cluster.name, oid, cluster.owner, acl)


def securable(state: CatalogState, oid: int) -> Securable | None:
    """Returns any object by oid."""
    within = relation_securable(state, oid) or schema_securable(state, oid)
    return within or database_securable(state, oid) or cluster_securable(state, oid)
