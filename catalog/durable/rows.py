"""The catalog as rows of its shard: (kind, key, value), one row an object, and back.

    load(rows(state)) == state        rows(old) + diff(old, new) == rows(new)

`value` is jsonb in PostgreSQL's canonical text. Kinds: config, allocator, database, schema, role, item, read_hold,
comment, left_slot, cluster, membership, acl, default_acl, role_setting, system_setting, system.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, assert_never

from catalog.durable.cluster_rows import cluster_of, cluster_value
from catalog.durable.constraint_rows import foreign_key_of, foreign_key_value, unique_of, unique_value
from catalog.durable.function_rows import function_of, function_value
from catalog.durable.migrations.row_texts import canonical
from catalog.durable.migrations.steps import CATALOG_VERSION, migrate
from catalog.durable.policy_rows import reference_of, reference_value, row_security_of, row_security_value
from catalog.durable.range_rows import RANGE_KINDS, range_of_value, range_value
from catalog.durable.role_rows import (
    RoleEntry,
    acls_of,
    default_acls_of,
    first_memberships,
    memberships_of,
    role_entries,
    role_entry_value,
    role_settings_of,
)
from catalog.durable.source_rows import source_of, source_table_of, source_table_value, source_value
from catalog.facts.roles.securables import first_acl_of_cluster, first_acl_of_public
from catalog.nouns.clusters import DEFAULT_CLUSTER_OID, Cluster, first_cluster
from catalog.nouns.connections import Connection, Secret, access_of, access_value
from catalog.nouns.derived_oids import derived_oid
from catalog.nouns.items import (
    PUBLIC_OWNER_OID,
    SUPERUSER_OID,
    Composite,
    Database,
    Definition,
    Domain,
    Enum,
    FunctionDefinition,
    HeldObject,
    Index,
    IndexKey,
    Item,
    MaterializedView,
    MultirangeDefinition,
    OwnedBy,
    RangeDefinition,
    ReadHold,
    Role,
    Schema,
    SequenceDefinition,
    Table,
    View,
)
from catalog.nouns.memberships import Membership
from catalog.nouns.sinks import Sink, SinkProgress, sink_of, sink_value
from catalog.nouns.sources import LeftSlot, Source, SourceProgress, SourceTable
from catalog.nouns.webhooks import WebhookSource, webhook_of, webhook_value
from catalog.state.catalog_state import FIRST_USER_ID, FIRST_USER_OID, CatalogState, build_state
from catalog.state.left_slots import left_slot_of, left_slot_value
from model.ids.global_id import GlobalId
from model.types.column_layout import ColumnLayout
from model.types.datum import Row
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import JSONB, TEXT, ScalarType, TypeName, nameless_range, users_type
from planner.catalog_view import (
    DomainCheck,
    DomainRules,
    GeneratedColumn,
    KeyOrder,
    OnCommit,
    QualifiedName,
    TableCheck,
)
from planner.sequence_rules import Identity, SequenceRules

CATALOG_SHARD_ID = GlobalId.system(1)
CATALOG_DESC = relation_desc(("kind", TEXT, False), ("key", TEXT, False), ("value", JSONB, False))

CatalogRow = tuple[str, str, str]
_USERS = "user"
_TYPES = ("enum", "domain", "composite", *RANGE_KINDS)
Types = Mapping[str, ScalarType]
"""The types that users created, by id."""

SUPERUSER = "headwater"
FIRST_DATABASE = "headwater"
_FIRST_DATABASE_OID = 16384
_FIRST_PUBLIC_OID = 2200

_FIRST_CHECK = 1601
"""Numbers of parts of a table that the oids of its checks were made of, after its columns' defaults."""


def initial_state(superuser: str = SUPERUSER) -> CatalogState:
    """Returns the state of a new catalog: a superuser, database `headwater` with schema `public`, and a cluster."""
    return build_state(
        version=1,
        databases=[Database(_FIRST_DATABASE_OID, FIRST_DATABASE, SUPERUSER_OID)],
        schemas=[Schema(_FIRST_PUBLIC_OID, _FIRST_DATABASE_OID, "public", PUBLIC_OWNER_OID)],
        roles=[_all_powerful(superuser)],
        clusters=[first_cluster(SUPERUSER_OID)],
        acls={(_FIRST_PUBLIC_OID, 0): first_acl_of_public(), (DEFAULT_CLUSTER_OID, 0): first_acl_of_cluster()},
        memberships=first_memberships(),
        items=[],
        configuration={},
        next_user_id=FIRST_USER_ID,
        next_oid=FIRST_USER_OID,
    )


def _all_powerful(name: str) -> Role:
    role = Role(SUPERUSER_OID, name, superuser=True, createrole=True, createdb=True, login=True)
    return replace(role, replication=True, bypass_row_security=True)


def rows(state: CatalogState) -> frozenset[CatalogRow]:
    """Returns all rows of a state; each has multiplicity one."""
    return frozenset(_row(kind, key, entry) for (kind, key), entry in _entries(state).items())


def diff(old: CatalogState | None, new: CatalogState) -> list[tuple[CatalogRow, int]]:
    """Returns the updates that turn `old` (None: an empty shard) into `new`, retractions first."""
    before = {} if old is None else _entries(old)
    after = _entries(new)
    gone = [_row(*place, entry) for place, entry in before.items() if after.get(place) != entry]
    come = [_row(*place, entry) for place, entry in after.items() if before.get(place) != entry]
    return [(row, -1) for row in sorted(gone)] + [(row, 1) for row in sorted(come)]


def load(rows: Iterable[Row]) -> CatalogState:
    """Reads a state from the shard's rows at one time, of an older version too (see migrations)."""
    by_kind: dict[str, dict[str, Any]] = {}
    for kind, key, value in migrate([_catalog_row(row) for row in rows]):
        entries = by_kind.setdefault(kind, {})
        assert key not in entries, f"two catalog rows for {kind} {key}"
        entries[key] = json.loads(value)
    allocators = by_kind["allocator"]
    return build_state(
        version=allocators["version"],
        databases=[Database(int(k), v["name"], v["owner"]) for k, v in by_kind.get("database", {}).items()],
        schemas=[Schema(int(k), v["database"], v["name"], v["owner"]) for k, v in by_kind.get("schema", {}).items()],
        roles=[Role(oid=int(k), **v) for k, v in by_kind.get("role", {}).items()],
        items=_items(by_kind.get("item", {})),
        configuration=by_kind.get("system", {}),
        read_holds=[_read_hold(k, v) for k, v in by_kind.get("read_hold", {}).items()],
        comments={_comment_key(k): v for k, v in by_kind.get("comment", {}).items()},
        left_slots=[left_slot_of(k, v) for k, v in by_kind.get("left_slot", {}).items()],
        clusters=[cluster_of(k, v) for k, v in by_kind.get("cluster", {}).items()],
        memberships=memberships_of(by_kind.get("membership", {})),
        acls=acls_of(by_kind.get("acl", {})),
        default_acls=default_acls_of(by_kind.get("default_acl", {})),
        role_settings=role_settings_of(by_kind.get("role_setting", {})),
        system_settings=tuple(by_kind.get("system_setting", {}).get("", ())),
        next_user_id=allocators["user_id"],
        next_oid=allocators["oid"],
    )


def upgrade(rows: Iterable[CatalogRow]) -> list[tuple[CatalogRow, int]]:
    """Returns the updates that bring a shard written by an older version up to date; none when it is."""
    before = frozenset(rows)
    after = frozenset(migrate(before))
    return [(row, -1) for row in sorted(before - after)] + [(row, 1) for row in sorted(after - before)]


_Entry = Database | Schema | Role | Cluster | Item | ReadHold | LeftSlot | RoleEntry | int | str


def _entries(state: CatalogState) -> dict[tuple[str, str], _Entry]:
    entries: dict[tuple[str, str], _Entry] = {
        ("config", "catalog_version"): CATALOG_VERSION,
        ("allocator", "version"): state.version,
        ("allocator", "user_id"): state.next_user_id,
        ("allocator", "oid"): state.next_oid,
    }
    entries.update((("system", name), value) for name, value in state.configuration.items())
    entries.update((("database", str(oid)), database) for oid, database in state.databases.items())
    entries.update((("schema", str(oid)), schema) for oid, schema in state.schemas.items())
    entries.update((("role", str(oid)), role) for oid, role in state.roles.items())
    entries.update((("item", str(id)), item) for id, item in state.items.items())
    entries.update((("read_hold", name), hold) for name, hold in state.read_holds.items())
    entries.update((("comment", f"{oid}.{column}"), text) for (oid, column), text in state.comments.items())
    entries.update((("left_slot", name), left) for name, left in state.left_slots.items())
    entries.update((("cluster", str(oid)), cluster) for oid, cluster in state.clusters.items())
    entries.update(role_entries(state))
    return entries


def _comment_key(key: str) -> tuple[int, int]:
    oid, _, column = key.partition(".")
    return int(oid), int(column)


def _row(kind: str, key: str, entry: _Entry) -> CatalogRow:
    return kind, key, canonical(_value(entry))


def _value(entry: _Entry) -> Any:
    match entry:
        case Database():
            return {"name": entry.name, "owner": entry.owner}
        case Schema():
            return {"name": entry.name, "owner": entry.owner, "database": entry.database}
        case Role():
            return {field.name: getattr(entry, field.name) for field in fields(entry) if field.name != "oid"}
        case Item():
            return {
                "oid": entry.oid,
                "schema": entry.schema,
                "name": entry.name,
                "owner": entry.owner,
                "created_ms": entry.created_ms,
                **_definition_value(entry.definition),
            }
        case ReadHold():
            return {
                "oid": entry.oid,
                "owner": entry.owner,
                "created_ms": entry.created_ms,
                "lease_ms": entry.lease_ms,
                "objects": [[str(held.id), list(map(str, held.inputs))] for held in entry.objects],
                "replaced": [str(held.id) for held in entry.objects if held.replaced],
                "capabilities": [[str(id), capability] for id, capability in entry.capabilities],
            }
        case LeftSlot():
            return left_slot_value(entry)
        case Cluster():
            return cluster_value(entry)
        case int() | str():
            return entry
        case Membership() | tuple():
            return role_entry_value(entry)
        case _:
            assert_never(entry)


def _read_hold(name: str, value: dict[str, Any]) -> ReadHold:
    parse = GlobalId.parse
    return ReadHold(
        value["oid"],
        name,
        value["owner"],
        value["created_ms"],
        value["lease_ms"],
        tuple(
            HeldObject(parse(id), tuple(map(parse, inputs)), id in value.get("replaced", ()))
            for id, inputs in value["objects"]
        ),
        tuple((parse(id), capability) for id, capability in value["capabilities"]),
    )


def _definition_value(definition: Definition) -> dict[str, Any]:
    columns = [[c.name, type_value(c.type), c.nullable] for c in definition.desc.columns]
    match definition:
        case Table():
            return {"kind": "table", "columns": columns, **_table_value(definition)}
        case View(options=options):
            view = {
                "kind": "view",
                "columns": columns,
                "create_sql": definition.create_sql,
                "written": _name_value(definition.written),
                "query_columns": list(definition.query_columns),
                "references": [reference_value(reference) for reference in definition.references],
            }
            return {**view, "options": list(options)} if options else view
        case MaterializedView():
            kept = {
                "kind": "materialized view",
                "columns": columns,
                "create_sql": definition.create_sql,
                "written": _name_value(definition.written),
                "query_columns": list(definition.query_columns),
                "references": [reference_value(reference) for reference in definition.references],
                "strict": definition.strict,
                "retain_history_ms": definition.retain_history_ms,
                "collection": str(definition.collection),
            }
            return {**kept, **_cluster_value(definition.cluster)}
        case Source():
            return {"columns": columns, **source_value(definition)}
        case SourceTable():
            return {"columns": columns, **source_table_value(definition)}
        case WebhookSource():
            return {"columns": columns, **webhook_value(definition)}
        case SourceProgress(source_id=source):
            return {"kind": "source progress", "columns": columns, "source": str(source)}
        case SinkProgress(sink_id=sink):
            return {"kind": "sink progress", "sink": str(sink)}
        case Enum():
            return {"kind": "enum", "array_oid": definition.array_oid, "labels": list(map(list, definition.labels))}
        case Domain(array_oid, rules):
            return {
                "kind": "domain",
                "array_oid": array_oid,
                "base": type_value(rules.base),
                "nullable": rules.nullable,
                "default": rules.default,
                "checks": [[check.name, check.sql, check.validated, check.number] for check in rules.checks],
            }
        case Composite(array_oid, relation_oid, fields):
            listed = [[name, type_value(field)] for name, field in fields]
            return {"kind": "composite", "array_oid": array_oid, "relation_oid": relation_oid, "fields": listed}
        case RangeDefinition() | MultirangeDefinition():
            return range_value(definition, type_value)
        case FunctionDefinition():
            bound = {
                "written": _name_value(definition.written),
                "references": [reference_value(reference) for reference in definition.references],
            }
            return {"kind": "function", **function_value(definition.rules, type_value), **bound}
        case SequenceDefinition():
            return _sequence_value(definition)
        case Secret() | Connection():
            return access_value(definition)
        case Sink():
            return sink_value(definition)
        case Index():
            return _index_value(definition)
        case _:
            assert_never(definition)


def _index_value(index: Index) -> dict[str, Any]:
    """Writes what was not asked for as nothing: rows of earlier versions have none of it, and are retracted as they
    stand."""
    value: dict[str, Any] = {
        "kind": "index",
        "on": reference_value(index.on),
        "keys": [_key_value(key) for key in index.keys],
        "retain_history_ms": index.retain_history_ms,
        "collection": str(index.collection),
        **_cluster_value(index.cluster),
    }
    if index.rule is not None:
        value["unique"] = unique_value(index.rule)
    if index.condition is not None:
        value["condition"] = index.condition
    if index.functions:
        value["functions"] = [reference_value(each) for each in index.functions]
    if index.included:
        value["included"] = [_key_value(key) for key in index.included]
    return value


def _cluster_value(cluster: int) -> dict[str, Any]:
    return {} if cluster == DEFAULT_CLUSTER_OID else {"cluster": cluster}


def _key_order(option: int = 0) -> KeyOrder:
    return KeyOrder(bool(option & 1), bool(option & 2))


def _key_value(key: IndexKey) -> list[Any]:
    """Writes a list of four, and of five where an order was asked for."""
    value = [key.name, type_value(key.type), key.sql, key.column]
    return value if key.order == KeyOrder() else [*value, key.order.option]


def _table_value(table: Table) -> dict[str, Any]:
    """Returns the stored value of a table: all but the columns."""
    value: dict[str, Any] = {
        "defaults": list(table.defaults),
        "retain_history_ms": table.retain_history_ms,
        "create_sql": table.create_sql,
    }
    # Rows that were written before there were such things don't have them: a row is retracted as it stands.
    if table.on_commit is not OnCommit.PRESERVE_ROWS:
        value["on_commit"] = table.on_commit.value
    if table.checks:
        value["checks"] = [[check.name, check.sql, list(check.columns), check.oid] for check in table.checks]
    if table.foreign_keys:
        value["foreign_keys"] = [foreign_key_value(key) for key in table.foreign_keys]
    if table.layout is not None:
        value["layout"] = list(table.layout.stored)
    if table.generated:
        value["generated"] = [[each.column, list(each.reads)] for each in table.generated]
    return value | row_security_value(table.row_security)


def _sequence_value(sequence: SequenceDefinition) -> dict[str, Any]:
    rules, owner = sequence.rules, sequence.owned_by
    return {
        "kind": "sequence",
        "type": type_value(rules.type),
        "rules": [rules.start, rules.increment, rules.minimum, rules.maximum, rules.cache],
        "cycle": rules.cycle,
        "first": sequence.first,
        "owned_by": None if owner is None else [str(owner.table), owner.column, owner.identity],
        "collection": str(sequence.collection),
    }


def _sequence(value: dict[str, Any], types: Types) -> SequenceDefinition:
    start, increment, minimum, maximum, cache = value["rules"]
    type_, cycle = _type(value["type"], types), value["cycle"]
    rules = SequenceRules(type_, start, increment, minimum, maximum, cache, cycle)
    owner = None
    if value["owned_by"] is not None:
        table, column, identity = value["owned_by"]
        owner = OwnedBy(GlobalId.parse(table), column, None if identity is None else Identity(identity))
    return SequenceDefinition(rules, value["first"], owner, GlobalId.parse(value["collection"]))


def _name_value(name: QualifiedName) -> list[str]:
    return [name.database, name.schema, name.name]


def _check(table: int, number: int, name: str, sql: str, columns: list[int], oid: int | None = None) -> TableCheck:
    """Reads a check. A check written by an older version has no oid, and gets the oid that pg_constraint showed in
    older versions."""
    return TableCheck(name, sql, tuple(columns), derived_oid(table, _FIRST_CHECK + number) if oid is None else oid)


def _domain_check(place: int, name: str, sql: str, validated: bool, number: int | None = None) -> DomainCheck:
    """Reads a domain's check. One written by an older version has no number: it gets the place that its oid was
    derived from."""
    return DomainCheck(name, sql, validated, place if number is None else number)


def _items(entries: dict[str, Any]) -> list[Item]:
    """Reads the items: types first; each after those whose types, or whose rows' types, it is made of."""
    reading = _Reading(entries)
    keys = sorted(entries, key=lambda key: (entries[key]["kind"] not in _TYPES, entries[key]["oid"]))
    return [reading.item(key) for key in keys]


class _Reading(Mapping[str, ScalarType]):
    """The types of items that are being read, by id."""

    def __init__(self, entries: dict[str, Any]) -> None:
        self._entries = entries
        self._items: dict[str, Item] = {}

    def item(self, key: str) -> Item:
        """Returns an item, which names types by their ids."""
        found = self._items.get(key)
        if found is None:
            found = self._items[key] = _item(GlobalId.parse(key), self._entries[key], self)
        return found

    def __getitem__(self, key: str) -> ScalarType:
        type_ = self.item(key).value_type
        assert type_ is not None, f"{key} is no type"
        return type_

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _item(id: GlobalId, value: dict[str, Any], types: Types) -> Item:
    definition = _definition(id, value, types)
    return Item(id, value["oid"], value["schema"], value["name"], value["owner"], value["created_ms"], definition)


def _table(value: dict[str, Any], desc: RelationDesc) -> Table:
    ending = OnCommit(value.get("on_commit", OnCommit.PRESERVE_ROWS))
    held = tuple(_check(value["oid"], number, *check) for number, check in enumerate(value.get("checks", ())))
    foreign = tuple(map(foreign_key_of, value.get("foreign_keys", ())))
    defaults, retained = tuple(value["defaults"]), value["retain_history_ms"]
    layout = ColumnLayout(tuple(value["layout"])) if "layout" in value else None
    security = row_security_of(value.get("row_security"))
    made = tuple(GeneratedColumn(column, tuple(reads)) for column, reads in value.get("generated", ()))
    return Table(desc, defaults, retained, value["create_sql"], ending, held, foreign, layout, security, made)


def _definition(id: GlobalId, value: dict[str, Any], types: Types) -> Definition:
    if value["kind"] == "enum":
        return Enum(value["array_oid"], tuple((label, position) for label, position in value["labels"]))
    if value["kind"] == "domain":
        checks = tuple(_domain_check(number, *check) for number, check in enumerate(value["checks"]))
        rules = DomainRules(_type(value["base"], types), value["nullable"], value["default"], checks)
        return Domain(value["array_oid"], rules)
    if value["kind"] == "composite":
        fields = tuple((name, _type(type_, types)) for name, type_ in value["fields"])
        return Composite(value["array_oid"], value["relation_oid"], fields)
    if value["kind"] in RANGE_KINDS:
        return range_of_value(value, lambda type_: _type(type_, types))
    if value["kind"] == "sequence":
        return _sequence(value, types)
    if value["kind"] == "function":
        function = function_of(value, lambda type_: _type(type_, types))
        return FunctionDefinition(
            function, tuple(map(reference_of, value["references"])), QualifiedName(*value["written"])
        )
    if value["kind"] in ("secret", "connection"):
        return access_of(value)
    if value["kind"] == "sink":
        return sink_of(value)
    if value["kind"] == "sink progress":
        return SinkProgress(GlobalId.parse(value["sink"]))
    if value["kind"] == "index":
        return _index(value, types)
    desc = RelationDesc(
        tuple(ColumnDesc(name, _type(type_, types), nullable) for name, type_, nullable in value["columns"])
    )
    if value["kind"] == "table":
        return _table(value, desc)
    if value["kind"] == "source":
        return source_of(value, desc)
    if value["kind"] == "source table":
        return source_table_of(value, desc)
    if value["kind"] == "webhook source":
        return webhook_of(value, desc)
    if value["kind"] == "source progress":
        return SourceProgress(GlobalId.parse(value["source"]), desc)
    view = View(
        desc,
        value["create_sql"],
        tuple(map(reference_of, value["references"])),
        QualifiedName(*value["written"]),
        tuple(value["query_columns"]),
        tuple(value.get("options", ())),
    )
    if value["kind"] == "view":
        return view
    assert value["kind"] == "materialized view", f"catalog item {id} has unknown kind {value['kind']}"
    return MaterializedView(
        view.desc,
        view.create_sql,
        view.references,
        view.written,
        view.query_columns,
        value["strict"],
        value["retain_history_ms"],
        *_placed(value),
    )


def _index(value: dict[str, Any], types: Types) -> Index:
    keys, included = (
        tuple(
            IndexKey(name, _type(type_, types), sql, column, _key_order(*option))
            for name, type_, sql, column, *option in listed
        )
        for listed in (value["keys"], value.get("included", ()))
    )
    collection = GlobalId.parse(value["collection"])
    rule = unique_of(value["unique"]) if "unique" in value else None
    functions = tuple(map(reference_of, value.get("functions", ())))
    rest = rule, value.get("condition"), included, value.get("cluster", DEFAULT_CLUSTER_OID), functions
    return Index(reference_of(value["on"]), keys, value["retain_history_ms"], collection, *rest)


def _placed(value: dict[str, Any]) -> tuple[GlobalId, int]:
    """Returns the collection of a materialized view, and the cluster that keeps it."""
    return GlobalId.parse(value["collection"]), value.get("cluster", DEFAULT_CLUSTER_OID)


def type_value(type_: ScalarType) -> Any:
    """Returns a type as JSON: its name, or an array of name, modifier and, for arrays, lists and maps, the element
    type, for records the fields; a user's type by its id."""
    named = users_type(type_) if type_.element is None or type_.domain is not None else None
    if named is not None and named.oid:
        return [_USERS, type_.modifier, str(named.id)]
    if type_.range is not None:
        return [type_.name.value, type_.modifier, type_value(type_.range.subtype)]
    held = type_.element or type_.member
    if held is not None:
        return [type_.name.value, type_.modifier, type_value(held)]
    if type_.fields:
        return [type_.name.value, type_.modifier, [[name, type_value(field)] for name, field in type_.fields]]
    return type_.name.value if type_.modifier == -1 else [type_.name.value, type_.modifier]


def _type(value: Any, types: Types) -> ScalarType:
    """Reads a type from JSON. (Older versions wrote enums by their kind.)"""
    if isinstance(value, str):
        return ScalarType(TypeName(value))
    name, modifier, *rest = value
    if name in (_USERS, TypeName.ENUM):
        return types[rest[0]]
    if name == TypeName.RECORD:
        fields = tuple((field, _type(held, types)) for field, held in rest[0]) if rest else ()
        return ScalarType(TypeName.RECORD, modifier, fields=fields)
    held = _type(rest[0], types) if rest else None
    if name in (TypeName.RANGE, TypeName.MULTIRANGE) and held is not None:
        return replace(nameless_range(held), name=TypeName(name))
    if name in (TypeName.LIST, TypeName.MAP):
        return ScalarType(TypeName(name), modifier, member=held)
    return ScalarType(TypeName(name), modifier, held)


def _catalog_row(row: Row) -> CatalogRow:
    kind, key, value = row
    assert isinstance(kind, str) and isinstance(key, str) and isinstance(value, str)
    return kind, key, value
