"""One version of the catalog. A CatalogState never changes; its mappings are only ever copied.

`version` grows with every applied set of changes. `shared_version` is the last version that changed more than temporary
relations: for sessions without any, all states since are equal. `next_user_id` and `next_oid` are above every number
ever allocated, so none is given again, neither after DROP nor after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from catalog.nouns.acl import Acl
from catalog.nouns.clusters import Cluster
from catalog.nouns.derived_oids import relation_of_rows
from catalog.nouns.items import (
    Computed,
    Database,
    FunctionDefinition,
    Index,
    Item,
    ReadHold,
    Role,
    Schema,
    SequenceDefinition,
    Table,
    WrittenDefinition,
)
from catalog.nouns.memberships import Memberships
from catalog.nouns.sources import LeftSlot, Source, SourceTable
from model.ids.global_id import GlobalId
from model.types.scalar_type import ScalarType, array_of, type_oid, users_array_oid
from planner.catalog_view import QualifiedName
from planner.plans.foreign_keys import ForeignKey

FIRST_USER_ID = 1
FIRST_USER_OID = 20000

DefaultAclKey = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class _Under:
    """The items of which an item is made, and the tables and webhook sources among them."""

    items: frozenset[GlobalId]
    tables: frozenset[GlobalId]


@dataclass(frozen=True, slots=True)
class CatalogState:
    """One version of the catalog: databases, schemas, roles and clusters by oid, items by GlobalId, read holds and left
    slots by name; `configuration` is the system's.

    `comments` and `acls` are by the oid of what they are on, and the number of its column from 1, 0 for itself;
    `default_acls` by the role that creates, the schema (0: any) and the kind of list of what is created;
    `role_settings` by the oids of a database and a role, 0 for any; `system_settings` are those of ALTER SYSTEM, each
    as `name=value`."""

    version: int
    databases: Mapping[int, Database]
    schemas: Mapping[int, Schema]
    roles: Mapping[int, Role]
    items: Mapping[GlobalId, Item]
    configuration: Mapping[str, str]
    read_holds: Mapping[str, ReadHold]
    comments: Mapping[tuple[int, int], str]
    left_slots: Mapping[str, LeftSlot]
    clusters: Mapping[int, Cluster]
    memberships: Memberships
    acls: Mapping[tuple[int, int], Acl]
    default_acls: Mapping[DefaultAclKey, Acl]
    role_settings: Mapping[tuple[int, int], tuple[str, ...]]
    system_settings: tuple[str, ...]
    next_user_id: int
    next_oid: int
    item_ids_by_name: Mapping[tuple[int, str], GlobalId] = field(repr=False, compare=False)
    item_ids_by_oid: Mapping[int, GlobalId] = field(repr=False, compare=False)
    schema_oids_by_name: Mapping[tuple[int, str], int] = field(repr=False, compare=False)
    key_ids_by_table: Mapping[GlobalId, tuple[GlobalId, ...]] = field(repr=False, compare=False)
    children_by_table: Mapping[GlobalId, tuple[GlobalId, ...]] = field(repr=False, compare=False)
    shared_version: int = field(repr=False, compare=False)
    _under: dict[GlobalId, _Under] = field(default_factory=dict, init=False, repr=False, compare=False)
    _functions: dict[str, tuple[Item, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def database_named(self, name: str) -> Database | None:
        return next((database for database in self.databases.values() if database.name == name), None)

    def role_named(self, name: str) -> Role | None:
        return next((role for role in self.roles.values() if role.name == name), None)

    def cluster_named(self, name: str) -> Cluster | None:
        return next((cluster for cluster in self.clusters.values() if cluster.name == name), None)

    def cluster_of_source(self, definition: Source | SourceTable) -> int:
        """Returns the oid of the cluster that runs a source, or the source of a table."""
        if isinstance(definition, Source):
            return definition.cluster
        source = self.items[definition.source_id].definition
        assert isinstance(source, Source), "a table of a source names one"
        return source.cluster

    def schema_named(self, database: int, name: str) -> Schema | None:
        """Returns the schema `name` of the database with oid `database`; system schemas aren't here."""
        oid = self.schema_oids_by_name.get((database, name))
        return None if oid is None else self.schemas[oid]

    def item_named(self, schema: int, name: str) -> Item | None:
        id = self.item_ids_by_name.get((schema, name))
        return None if id is None else self.items[id]

    def item_by_oid(self, oid: int) -> Item | None:
        id = self.item_ids_by_oid.get(oid)
        return None if id is None else self.items[id]

    def type_by_oid(self, oid: int) -> ScalarType | None:
        """Returns the user's type, that of a relation's rows, or array of one, with an oid."""
        relation = relation_of_rows(oid)
        if relation is not None:
            item = self.item_by_oid(relation)
            rows = None if item is None else item.row_type
            return rows if rows is None or type_oid(rows) == oid else array_of(rows)
        named = self.item_by_oid(oid)
        if named is not None:
            return named.type
        for item in self.items.values():
            if item.type is not None and oid == users_array_oid(item.type):
                return array_of(item.type)
        return None

    def functions_named(self, name: str) -> tuple[Item, ...]:
        """Returns the users' functions of a name in all schemas, by oid. They are looked for once in each state, since
        each call of a function asks."""
        if not self._functions:
            found: dict[str, tuple[Item, ...]] = {"": ()}
            for item in sorted(self.items.values(), key=lambda item: item.oid):
                if isinstance(item.definition, FunctionDefinition):
                    found[item.name] = (*found.get(item.name, ()), item)
                    if item.definition.rules.stepwise:
                        # No function has this name.
                        found[""] = (*found[""], item)
            self._functions.update(found)
        return self._functions.get(name, ())

    @property
    def functions_of_statements(self) -> tuple[Item, ...]:
        """Returns the functions that run as statements."""
        return self.functions_named("")

    def find(self, name: QualifiedName) -> Item | None:
        """Returns the item with a full name."""
        database = self.database_named(name.database)
        schema = None if database is None else self.schema_named(database.oid, name.schema)
        return None if schema is None else self.item_named(schema.oid, name.name)

    def full_name(self, item: Item) -> QualifiedName:
        schema = self.schemas[item.schema]
        return QualifiedName(self.databases[schema.database].name, schema.name, item.name)

    def items_in(self, schema: int) -> tuple[Item, ...]:
        """Returns a schema's items by oid, which is the order of creation."""
        return tuple(sorted((i for i in self.items.values() if i.schema == schema), key=lambda item: item.oid))

    def schemas_in(self, database: int) -> tuple[Schema, ...]:
        return tuple(sorted((s for s in self.schemas.values() if s.database == database), key=lambda s: s.oid))

    def dependents(self, id: GlobalId) -> tuple[Item, ...]:
        """Returns the items whose definition names `id` directly, by oid."""
        return tuple(sorted((i for i in self.items.values() if id in i.depends_on), key=lambda item: item.oid))

    def items_under(self, id: GlobalId) -> frozenset[GlobalId]:
        """Returns the items of which `id` is made, through any number of others, itself included; none for an id of
        no item."""
        return self._all_under(id).items

    def tables_under(self, ids: Iterable[GlobalId]) -> frozenset[GlobalId]:
        """Returns the tables and webhook sources of which `ids` are made, through any number of views, including
        themselves."""
        return frozenset[GlobalId]().union(*(self._all_under(id).tables for id in ids))

    def _all_under(self, id: GlobalId) -> _Under:
        """Finds all that lies under an object, once in each state, since each statement asks."""
        known = self._under.get(id)
        if known is None:
            reached: set[GlobalId] = set()
            frontier = [id]
            while frontier:
                item = self.items.get(frontier.pop())
                if item is not None and item.id not in reached:
                    reached.add(item.id)
                    frontier.extend(item.depends_on)
            known = self._under[id] = _Under(frozenset(reached), self._read_under(id))
        return known

    def _read_under(self, id: GlobalId) -> frozenset[GlobalId]:
        """Finds the tables and webhook sources that reading an object reads; not those whose rows' types it names."""
        reached, tables, frontier = set[GlobalId](), set[GlobalId](), [id]
        while frontier:
            item = self.items.get(frontier.pop())
            if item is None or item.id in reached:
                continue
            reached.add(item.id)
            if isinstance(item.definition, WrittenDefinition):
                tables.add(item.id)
            elif item.type is None:
                frontier.extend(item.depends_on)
        return frozenset(tables)

    def indexes_on(self, id: GlobalId) -> tuple[Item, ...]:
        """Returns the indexes on a relation, by oid."""
        found = (i for i in self.items.values() if isinstance(i.definition, Index) and i.definition.on.id == id)
        return tuple(sorted(found, key=lambda item: item.oid))

    def keys_of(self, id: GlobalId) -> tuple[Item, ...]:
        """Returns the unique indexes of a table, by oid."""
        return tuple(self.items[key] for key in self.key_ids_by_table.get(id, ()))

    def referencing(self, id: GlobalId) -> tuple[tuple[Item, ForeignKey], ...]:
        """Returns the foreign keys that reference a table, each with its own table, by age."""
        found: list[tuple[Item, ForeignKey]] = []
        for child in self.children_by_table.get(id, ()):
            definition = self.items[child].definition
            assert isinstance(definition, Table)
            found += [(self.items[child], key) for key in definition.foreign_keys if key.parent == id]
        return tuple(sorted(found, key=lambda each: each[1].oid))

    def owned_sequences(self, id: GlobalId) -> tuple[Item, ...]:
        """Returns the sequences that are dropped with a table's columns, by oid."""

        def owned(item: Item) -> bool:
            owner = item.definition.owned_by if isinstance(item.definition, SequenceDefinition) else None
            return owner is not None and owner.table == id

        return tuple(sorted(filter(owned, self.items.values()), key=lambda item: item.oid))

    def reading(self, id: GlobalId) -> frozenset[GlobalId]:
        """Returns `id`, and all items that read it, through any number of others."""
        reached = {id}
        while found := {i.id for i in self.items.values() if i.id not in reached and i.depends_on & reached}:
            reached |= found
        return frozenset(reached)

    def maintained_dependents(self, id: GlobalId) -> tuple[Item, ...]:
        """Returns the indexes, materialized views and sinks of views that change when the meaning of `id` changes,
        each after those that it reads."""
        by_reference: dict[GlobalId, list[Item]] = {}
        for item in sorted(self.items.values(), key=lambda item: item.oid):
            for reference in item.depends_on:
                by_reference.setdefault(reference, []).append(item)
        order: dict[GlobalId, Item] = {}

        def visit(item: Item) -> None:
            if item.id not in order:
                for dependent in reversed(by_reference.get(item.id, [])):
                    visit(dependent)
                order[item.id] = item

        for dependent in reversed(by_reference.get(id, [])):
            visit(dependent)
        return tuple(item for item in reversed(order.values()) if isinstance(item.definition, Computed))


def build_state(
    *,
    version: int,
    databases: Iterable[Database],
    schemas: Iterable[Schema],
    roles: Iterable[Role],
    items: Iterable[Item],
    configuration: Mapping[str, str],
    next_user_id: int,
    next_oid: int,
    read_holds: Iterable[ReadHold] = (),
    comments: Mapping[tuple[int, int], str] | None = None,
    left_slots: Iterable[LeftSlot] = (),
    clusters: Iterable[Cluster] = (),
    memberships: Memberships | None = None,
    acls: Mapping[tuple[int, int], Acl] | None = None,
    default_acls: Mapping[DefaultAclKey, Acl] | None = None,
    role_settings: Mapping[tuple[int, int], tuple[str, ...]] | None = None,
    system_settings: tuple[str, ...] = (),
) -> CatalogState:
    """Builds a state, with its indexes."""
    schemas, items = tuple(schemas), tuple(items)
    return CatalogState(
        version=version,
        databases={database.oid: database for database in databases},
        schemas={schema.oid: schema for schema in schemas},
        roles={role.oid: role for role in roles},
        items={item.id: item for item in items},
        configuration=dict(configuration),
        read_holds={hold.name: hold for hold in read_holds},
        comments=dict(comments or {}),
        left_slots={left.slot: left for left in left_slots},
        clusters={cluster.oid: cluster for cluster in clusters},
        memberships=memberships or Memberships(),
        acls=dict(acls or {}),
        default_acls=dict(default_acls or {}),
        role_settings=dict(role_settings or {}),
        system_settings=system_settings,
        next_user_id=next_user_id,
        next_oid=next_oid,
        item_ids_by_name={(item.schema, item.key): item.id for item in items},
        item_ids_by_oid={item.oid: item.id for item in items},
        schema_oids_by_name={(schema.database, schema.name): schema.oid for schema in schemas},
        key_ids_by_table=key_ids_by_table(items),
        children_by_table=children_by_table(items),
        shared_version=version,
    )


def key_ids_by_table(items: Iterable[Item]) -> dict[GlobalId, tuple[GlobalId, ...]]:
    """Returns the ids of each table's unique indexes, by oid."""
    found: dict[GlobalId, tuple[GlobalId, ...]] = {}
    for item in sorted(items, key=lambda item: item.oid):
        if is_key(item):
            assert isinstance(item.definition, Index)
            table = item.definition.on.id
            found[table] = (*found.get(table, ()), item.id)
    return found


def children_by_table(items: Iterable[Item]) -> dict[GlobalId, tuple[GlobalId, ...]]:
    """Returns, per referenced table, the tables with foreign keys to it."""
    found: dict[GlobalId, tuple[GlobalId, ...]] = {}
    for item in items:
        for parent in sorted({key.parent for key in foreign_keys_of(item)}):
            found[parent] = (*found.get(parent, ()), item.id)
    return found


def foreign_keys_of(item: Item | None) -> tuple[ForeignKey, ...]:
    return item.definition.foreign_keys if item is not None and isinstance(item.definition, Table) else ()


def is_key(item: Item) -> bool:
    """Tells whether an item is a unique index."""
    return isinstance(item.definition, Index) and item.definition.rule is not None
