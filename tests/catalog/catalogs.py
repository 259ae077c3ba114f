"""Small catalogs for tests, and a random walk over all changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from catalog.changes.apply import apply
from catalog.changes.change import (
    AlterConnection,
    AlterRetainHistory,
    AlterSecret,
    AlterTable,
    AlterViewOptions,
    Change,
    CreateDatabase,
    CreateItem,
    CreateSchema,
    DropDatabase,
    DropItems,
    DropSchemas,
    RenameColumn,
    RenameDatabase,
    RenameItem,
    RenameSchema,
    ReplaceView,
    SetConfiguration,
    SwapItems,
    SwapSchemas,
)
from catalog.changes.policies import AddedPolicy, ChangedPolicy, DroppedPolicy, SwitchedRowSecurity
from catalog.changes.roles.role_changes import CreateRole, DropRole
from catalog.changes.table_changes import (
    AddedColumn,
    AddedForeignKey,
    AddedTableCheck,
    ChangedDefault,
    DroppedForeignKey,
    DroppedTableCheck,
    OptionalColumn,
    RenamedForeignKey,
    RenamedTableCheck,
    RequiredColumns,
    TableChange,
    TimedForeignKey,
    ValidatedForeignKey,
)
from catalog.durable.rows import initial_state
from catalog.lookup.planner_view import references_to
from catalog.nouns.connections import Connection, Secret
from catalog.nouns.items import (
    SUPERUSER_OID,
    AccessObject,
    Definition,
    Index,
    IndexKey,
    Item,
    Maintained,
    MaterializedView,
    Role,
    Table,
    View,
)
from catalog.nouns.policies import COMMAND_LETTERS, Policy, PolicyCondition
from catalog.nouns.reference import BoundNames, Reference
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.external.connections import ConnectionOptions
from model.ids.global_id import GlobalId
from model.types.relation_desc import ColumnDesc, RelationDesc, relation_desc
from model.types.scalar_type import INT4, TEXT, array_of, numeric
from planner.catalog_view import ItemKind, KeyKind, KeyRule, OnCommit, QualifiedName, TableCheck
from planner.plans.foreign_keys import ForeignKey, ForeignKeyRule, ReferentialAction

DESC = relation_desc(("a", INT4, False), ("b", numeric(9, 2)), ("c", array_of(TEXT)))


@dataclass(slots=True)
class Catalog:
    """A state that changes, with its allocator."""

    state: CatalogState = field(default_factory=initial_state)
    allocator: IdAllocator = field(default_factory=lambda: IdAllocator(initial_state()))

    def apply(self, *changes: Change) -> CatalogState:
        self.state = apply(self.state, changes)
        return self.state

    def schema(self, name: str, database: str = "headwater") -> int:
        oid = self.allocator.oid()
        self.apply(CreateSchema(oid, database, name, SUPERUSER_OID))
        return oid

    def table(self, name: str, schema: str = "public", database: str = "headwater", desc: RelationDesc = DESC) -> Item:
        table = Table(desc, (None,) * desc.arity, None, f"CREATE TABLE {schema}.{name} ()")
        return self._create(name, schema, database, table)

    def view(
        self, name: str, *on: Item, schema: str = "public", database: str = "headwater", desc: RelationDesc = DESC
    ) -> Item:
        return self._create(name, schema, database, view_of(self.state, name, [item.id for item in on], desc))

    def materialized_view(self, name: str, *on: Item) -> Item:
        ids = [item.id for item in on]
        return self._create(name, "public", "headwater", materialized_view_of(self.state, self.allocator, name, ids))

    def index(self, name: str, on: Item) -> Item:
        return self._create(name, "public", "headwater", index_on(self.state, self.allocator, on.id))

    def secret(self, name: str, sealed: str) -> Item:
        return self._create(name, "public", "headwater", Secret(sealed))

    def alter_secret(self, secret: Item, sealed: str) -> None:
        self.apply(AlterSecret(secret.id, Secret(sealed)))

    def _create(self, name: str, schema: str, database: str, definition: Definition) -> Item:
        id_ = definition.collection if isinstance(definition, Maintained) else self.allocator.user_id()
        change = CreateItem(id_, self.allocator.oid(), database, schema, name, SUPERUSER_OID, 7, definition)
        return self.apply(change).items[id_]


def view_of(state: CatalogState, name: str, on: list[GlobalId], desc: RelationDesc = DESC) -> View:
    return View(
        desc,
        f'CREATE VIEW public."{name}" AS SELECT 1',
        references_to(state, on),
        QualifiedName("headwater", "public", name),
        desc.names,
    )


def materialized_view_of(
    state: CatalogState, allocator: IdAllocator, name: str, on: list[GlobalId]
) -> MaterializedView:
    view = view_of(state, name, on)
    return MaterializedView(
        view.desc,
        f'CREATE MATERIALIZED VIEW public."{name}" AS SELECT 1',
        view.references,
        view.written,
        view.query_columns,
        strict=True,
        retain_history_ms=7,
        collection=allocator.user_id(),
    )


def index_on(state: CatalogState, allocator: IdAllocator, on: GlobalId, rule: KeyRule | None = None) -> Index:
    (reference,) = references_to(state, [on])
    keys = (IndexKey("a", INT4, "a", 0), IndexKey("expr", TEXT, "(b || '')", None))
    return Index(reference, keys, None, allocator.user_id(), rule)


_NAMES = st.sampled_from(["a", "b", "c", "Ünï x", "d"])


@st.composite
def next_change(draw: st.DrawFn, catalog: Catalog) -> Change:
    """A change that names things that exist, as far as there are any; it may still be refused."""
    state, allocator, name = catalog.state, catalog.allocator, draw(_NAMES)
    database = draw(st.sampled_from(sorted(state.databases) or [0]))
    database_name = state.databases[database].name if database else "none"
    schemas = sorted(state.schemas)
    schema = state.schemas[draw(st.sampled_from(schemas))] if schemas else None
    items = sorted(id for id, item in state.items.items() if not isinstance(item.definition, AccessObject))
    some = tuple(draw(st.lists(st.sampled_from(items), min_size=1, max_size=2, unique=True))) if items else ()
    retain_history_ms, on_commit = draw(st.none() | st.integers(0, 10**12)), draw(st.sampled_from(OnCommit))
    checks = draw(
        st.sampled_from(((), (TableCheck("few", "a < 5", (0,), 7001), TableCheck(name, "b > a", (1, 0), 7002))))
    )
    table = Table(DESC, ("1", None, None), retain_history_ms, "CREATE TABLE t ()", on_commit, checks)
    choices: list[Change] = [
        CreateDatabase(allocator.oid(), name, SUPERUSER_OID, allocator.oid()),
        CreateSchema(allocator.oid(), database_name, name, SUPERUSER_OID),
        CreateSchema(allocator.oid(), database_name, "pg_temp_1", SUPERUSER_OID, temporary=True),
        CreateRole(Role(allocator.oid(), name, superuser=False, createrole=True, createdb=False, login=True)),
        SetConfiguration(name, draw(st.none() | st.text(max_size=3))),
        DropDatabase(database),
        DropRole(draw(st.sampled_from(sorted(state.roles)))),
        RenameDatabase(database, name),
    ]
    if schema is not None:
        place = (state.databases[schema.database].name, schema.name, name, SUPERUSER_OID, draw(st.integers(0, 9)))
        choices += [
            *[CreateItem(allocator.user_id(), allocator.oid(), *place, table)] * 4,
            *[CreateItem(allocator.user_id(), allocator.oid(), *place, view_of(state, name, list(some)))] * 4,
            CreateItem(
                allocator.user_id(), allocator.oid(), *place, materialized_view_of(state, allocator, name, list(some))
            ),
            DropSchemas((schema.oid,), draw(st.booleans())),
            RenameSchema(schema.oid, name),
            SwapSchemas(schema.oid, draw(st.sampled_from(sorted(state.schemas)))),
        ]
    if some:
        choices += [
            DropItems(some, draw(st.booleans())),
            ReplaceView(some[0], view_of(state, name, list(some[1:]))),
            ReplaceView(some[0], materialized_view_of(state, allocator, name, list(some[1:]))),
            SwapItems(some[0], some[-1]),
            RenameItem(some[0], name),
            RenameColumn(some[0], "a", name),
            AlterRetainHistory(some[0], draw(st.none() | st.integers(0, 9))),
        ]
    if some and state.items[some[0]].kind is not ItemKind.INDEX:
        own = state.items[some[0]]
        home = state.full_name(own)
        timing = draw(st.sampled_from(((False, False), (True, False), (True, True))))
        kind, distinct = draw(st.sampled_from(KeyKind)), draw(st.booleans())
        rule = KeyRule(kind, distinct, *timing) if own.kind is ItemKind.TABLE else None
        index = index_on(state, allocator, own.id, rule if draw(st.booleans()) else None)
        at = (home.database, home.schema, name, SUPERUSER_OID, 5)
        choices += [CreateItem(allocator.user_id(), allocator.oid(), *at, index)] * 2
    if some and isinstance(state.items[some[0]].definition, View):
        options = draw(st.sampled_from([(), ("security_invoker=on",), ("security_invoker=0", "security_barrier=true")]))
        choices.append(AlterViewOptions(some[0], options))
    if some and isinstance(state.items[some[0]].definition, Table):
        choices += _table_changes(draw, catalog, some[0], name)
    if schema is not None:
        choices += _access_changes(draw, catalog, place)
    return draw(st.sampled_from(choices))


def _access_changes(draw: st.DrawFn, catalog: Catalog, place: tuple[str, str, str, int, int]) -> list[Change]:
    """Of secrets and connections."""
    state, allocator = catalog.state, catalog.allocator
    secrets = sorted(id for id, item in state.items.items() if isinstance(item.definition, Secret))
    secret = Secret(draw(st.sampled_from(("k1:a:b", "k1:c:d"))))
    options: ConnectionOptions = (("BROKERS", ("a:1", "b:2")), ("SASL USERNAME", place[2]))
    if secrets:
        options = (*options, ("SASL PASSWORD", draw(st.sampled_from(secrets))))
    connection = Connection("KAFKA", options)
    found: list[Change] = [
        *[CreateItem(allocator.user_id(), allocator.oid(), *place, secret)] * 3,
        *[CreateItem(allocator.user_id(), allocator.oid(), *place, connection)] * 3,
    ]
    for id, item in state.items.items():
        if isinstance(item.definition, Connection):
            found.append(AlterConnection(id, draw(st.sampled_from((item.definition, connection))), connection))
        if isinstance(item.definition, AccessObject):
            found += [DropItems((id,), draw(st.booleans())), RenameItem(id, place[2])]
    return found + [AlterSecret(id, secret) for id in secrets]


def _table_changes(draw: st.DrawFn, catalog: Catalog, table: GlobalId, name: str) -> list[Change]:
    state, allocator = catalog.state, catalog.allocator
    changes: tuple[TableChange, ...] = (
        AddedTableCheck(TableCheck(name, "a > 0", (0,), 7003)),
        DroppedTableCheck(name),
        RenamedTableCheck("few", name),
        RequiredColumns((0, 2)),
        OptionalColumn(0),
        AddedColumn(ColumnDesc(name, TEXT, draw(st.booleans())), draw(st.sampled_from((None, "'x'::text")))),
        *_foreign_keys(draw, state, allocator, table, name),
        DroppedForeignKey(name),
        RenamedForeignKey("few", name),
        ValidatedForeignKey(name),
        TimedForeignKey(name, draw(st.booleans()), False),
        ChangedDefault(1, draw(st.sampled_from((None, "'x'::text")))),
        SwitchedRowSecurity(draw(st.none() | st.booleans()), draw(st.none() | st.booleans())),
        AddedPolicy(_policy(draw, allocator, name)),
        ChangedPolicy(name, _policy(draw, allocator, "few")),
        DroppedPolicy(name),
    )

    return [AlterTable(table, each) for each in changes]


_T = QualifiedName("headwater", "public", "t")
_BOUND = PolicyCondition(
    "EXISTS (SELECT a FROM pg_catalog.pg_roles)",
    BoundNames(_T, (Reference(_T, GlobalId.system(1), ("a", "b")),), frozenset({(GlobalId.system(1), 2)})),
)


def _policy(draw: st.DrawFn, allocator: IdAllocator, name: str) -> Policy:
    command, permissive = draw(st.sampled_from(tuple(COMMAND_LETTERS.values()))), draw(st.booleans())
    check = draw(st.sampled_from((None, PolicyCondition("a > 1"), _BOUND)))
    return Policy(allocator.oid(), name, permissive, command, (0, SUPERUSER_OID), PolicyCondition("a IS NULL"), check)


def _foreign_keys(
    draw: st.DrawFn, state: CatalogState, allocator: IdAllocator, table: GlobalId, name: str
) -> list[TableChange]:
    """Of the table to any that has a key."""
    action = st.sampled_from(ReferentialAction)
    found: list[TableChange] = []
    for parent, keys in state.key_ids_by_table.items():
        rule = ForeignKeyRule(
            draw(st.booleans()),
            draw(action),
            draw(action),
            draw(st.sampled_from(((), (0,)))),
            draw(st.booleans()),
            draw(st.booleans()),
            draw(st.booleans()),
        )
        found.append(AddedForeignKey(ForeignKey(allocator.oid(), name, (0,), parent, (0,), keys[0], rule)))
    return found


@st.composite
def walks(draw: st.DrawFn) -> list[CatalogState]:
    """The states that a random sequence of changes leads through, the first one first."""
    catalog = Catalog()
    states = [catalog.state]
    for _ in range(draw(st.integers(1, 12))):
        try:
            states.append(catalog.apply(draw(next_change(catalog))))
        except SqlError:
            continue
    return states
