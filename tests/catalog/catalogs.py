"""Small catalogs for tests, and a random walk over all changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from catalog.allocate import IdAllocator
from catalog.apply import apply
from catalog.changes import (
    AlterRetainHistory,
    Change,
    CreateDatabase,
    CreateItem,
    CreateRole,
    CreateSchema,
    DropDatabase,
    DropItems,
    DropRole,
    DropSchemas,
    RenameColumn,
    RenameDatabase,
    RenameItem,
    RenameSchema,
    ReplaceView,
    SetConfiguration,
)
from catalog.durable import initial_state
from catalog.items import SUPERUSER_OID, Item, Table, View
from catalog.state import CatalogState
from catalog.view import references_to
from model.errors import SqlError
from model.global_id import GlobalId
from model.relation_desc import RelationDesc, relation_desc
from model.scalar_type import INT4, TEXT, array_of, numeric
from planner.catalog_view import QualifiedName

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

    def _create(self, name: str, schema: str, database: str, definition: Table | View) -> Item:
        id_ = self.allocator.user_id()
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


_NAMES = st.sampled_from(["a", "b", "c", "Ünï x", "d"])


@st.composite
def next_change(draw: st.DrawFn, catalog: Catalog) -> Change:
    """A change that names things that exist, as far as there are any; it may still be refused."""
    state, allocator, name = catalog.state, catalog.allocator, draw(_NAMES)
    database = draw(st.sampled_from(sorted(state.databases) or [0]))
    database_name = state.databases[database].name if database else "none"
    schemas = sorted(state.schemas)
    schema = state.schemas[draw(st.sampled_from(schemas))] if schemas else None
    items = sorted(state.items)
    some = tuple(draw(st.lists(st.sampled_from(items), min_size=1, max_size=2, unique=True))) if items else ()
    table = Table(DESC, ("1", None, None), draw(st.none() | st.integers(0, 10**12)), "CREATE TABLE t ()")
    choices: list[Change] = [
        CreateDatabase(allocator.oid(), name, SUPERUSER_OID, allocator.oid()),
        CreateSchema(allocator.oid(), database_name, name, SUPERUSER_OID),
        CreateRole(allocator.oid(), name, superuser=False, createrole=True, createdb=False, login=True),
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
            DropSchemas((schema.oid,), draw(st.booleans())),
            RenameSchema(schema.oid, name),
        ]
    if some:
        choices += [
            DropItems(some, draw(st.booleans())),
            ReplaceView(some[0], view_of(state, name, list(some[1:]))),
            RenameItem(some[0], name),
            RenameColumn(some[0], "a", name),
            AlterRetainHistory(some[0], draw(st.none() | st.integers(0, 9))),
        ]
    return draw(st.sampled_from(choices))


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
