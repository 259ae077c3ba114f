"""Changes to states: what they do, what they refuse, and what never happens."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.changes.apply import apply
from catalog.changes.auditing import Auditing
from catalog.changes.change import (
    CreateDatabase,
    CreateItem,
    CreateSchema,
    DropDatabase,
    DropItems,
    DropSchemas,
    ForgetSlot,
    RebuildItems,
    RenameColumn,
    RenameItem,
    RenameSchema,
    ReplaceView,
    SwapSchemas,
)
from catalog.changes.roles.role_changes import CreateRole, DropRole
from catalog.changes.temporary import confined
from catalog.nouns.items import SUPERUSER_OID, Role, Table, View
from catalog.state.catalog_state import CatalogState
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from model.ids.global_id import GlobalId
from model.time.timestamp import Timestamp
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, INT8, NUMERIC, TEXT, ScalarType
from planner.catalog_view import QualifiedName
from tests.catalog.catalogs import DESC, Catalog, next_change, view_of, walks
from tests.draws import draws


@given(walks())
@draws(60)
def test_ids_and_oids_are_never_given_again(states: list[CatalogState]) -> None:
    owner_of_id: dict[GlobalId, int] = {}
    owner_of_oid: dict[int, GlobalId] = {}
    gone: set[GlobalId] = set()
    for before, after in itertools.pairwise(states):
        assert after.version == before.version + 1
        assert after.next_user_id >= before.next_user_id and after.next_oid >= before.next_oid
        gone |= before.items.keys() - after.items.keys()
        assert gone.isdisjoint(after.items)
        for item in after.items.values():
            assert owner_of_id.setdefault(item.id, item.oid) == item.oid
            assert owner_of_oid.setdefault(item.oid, item.id) == item.id
            assert item.id.number < after.next_user_id and item.oid < after.next_oid


@given(walks())
@draws(60)
def test_nothing_is_left_without_what_it_needs(states: list[CatalogState]) -> None:
    for state in states:
        for schema in state.schemas.values():
            assert schema.database in state.databases
        for item in state.items.values():
            assert item.schema in state.schemas and item.owner in state.roles
            assert item.depends_on <= state.items.keys()


@given(st.data())
@draws(60)
def test_a_refused_set_of_changes_changes_nothing(data: st.DataObject) -> None:
    catalog = Catalog()
    catalog.table("a")
    before = catalog.state
    change = data.draw(next_change(catalog))
    missing = RenameItem(GlobalId.user(999), "z")
    with pytest.raises(SqlError):
        apply(before, [change, missing])
    assert catalog.state is before


@given(st.data())
@draws(60)
def test_every_change_is_told_of_and_told_changes_make_the_same_state(data: st.DataObject) -> None:
    catalog = Catalog()
    table = catalog.table("a")
    catalog.index("i", table)
    for _ in range(6):
        change, before = data.draw(next_change(catalog)), catalog.state
        auditing = Auditing(7, Timestamp(5), ["alice"])
        try:
            after = auditing.applied(before, [change])
        except SqlError:
            continue
        assert after == catalog.apply(change)
        assert [event.number for event in auditing.events] == list(range(8, 8 + len(auditing.events)))
        assert all(isinstance(json.loads(event.details), dict) and event.user == "alice" for event in auditing.events)
        gone = len(before.items.keys() - after.items.keys())
        assert sum(event.event == "drop" for event in auditing.events) >= gone
        assert auditing.events or confined(before, change) or isinstance(change, ForgetSlot | RebuildItems)


def test_no_change_is_no_new_version() -> None:
    state = Catalog().state
    assert apply(state, []) is state


def test_a_dropped_name_can_be_used_again_by_a_new_id() -> None:
    catalog = Catalog()
    first = catalog.table("t")
    catalog.apply(DropItems((first.id,), cascade=False))
    second = catalog.table("t")
    assert first.id != second.id and first.oid != second.oid


def _refused(catalog: Catalog, *changes: object) -> SqlError:
    with pytest.raises(SqlError) as caught:
        catalog.apply(*changes)  # type: ignore[arg-type]
    return caught.value


def _create(catalog: Catalog, schema: str, name: str, database: str = "headwater") -> CreateItem:
    table = Table(DESC, (None, None, None), None, "")
    return CreateItem(catalog.allocator.user_id(), catalog.allocator.oid(), database, schema, name, 10, 0, table)


def test_names_are_taken_once_and_places_must_exist() -> None:
    catalog = Catalog()
    catalog.table("t")
    oid = catalog.allocator.oid()
    assert _refused(catalog, _create(catalog, "public", "t")).sqlstate is Sqlstate.DUPLICATE_TABLE
    assert _refused(catalog, _create(catalog, "nowhere", "t")).sqlstate is Sqlstate.INVALID_SCHEMA_NAME
    assert _refused(catalog, _create(catalog, "public", "t", "no")).sqlstate is Sqlstate.INVALID_CATALOG_NAME
    assert _refused(catalog, _create(catalog, "pg_catalog", "t")).sqlstate is Sqlstate.INSUFFICIENT_PRIVILEGE
    assert _refused(catalog, CreateSchema(oid, "headwater", "public", 10)).sqlstate is Sqlstate.DUPLICATE_SCHEMA
    assert _refused(catalog, CreateSchema(oid, "headwater", "pg_x", 10)).sqlstate is Sqlstate.RESERVED_NAME
    assert (
        _refused(catalog, CreateRole(Role(oid, "headwater", True, True, True, True))).sqlstate
        is Sqlstate.DUPLICATE_OBJECT
    )
    assert _refused(catalog, DropRole(SUPERUSER_OID)).sqlstate is Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST


def test_cascade_takes_views_of_views() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.view("v", table)
    catalog.view("w", view)
    other = catalog.table("u")
    state = catalog.apply(DropItems((table.id,), cascade=True))
    assert set(state.items) == {other.id}


def test_a_set_may_drop_a_table_with_the_views_on_it() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.view("v", table)
    assert catalog.apply(DropItems((table.id, view.id), cascade=False)).items == {}


def test_a_database_goes_with_all_that_is_in_it_unless_another_depends_on_it() -> None:
    catalog = Catalog()
    oid = catalog.allocator.oid()
    catalog.apply(CreateDatabase(oid, "other", SUPERUSER_OID, catalog.allocator.oid()))
    table = catalog.table("t", database="other")
    outside = catalog.view("v", table)
    assert _refused(catalog, DropDatabase(oid)).sqlstate is Sqlstate.DEPENDENT_OBJECTS_STILL_EXIST
    catalog.apply(DropItems((outside.id,), cascade=False))
    state = catalog.apply(DropDatabase(oid))
    assert state.items == {} and state.database_named("other") is None
    assert all(schema.database != oid for schema in state.schemas.values())


def test_renames_change_no_id_and_no_sql() -> None:
    catalog = Catalog()
    schema = catalog.schema("s")
    table = catalog.table("t", schema="s")
    view = catalog.view("v", table, schema="s")
    state = catalog.apply(
        RenameSchema(schema, "s2"),
        RenameItem(table.id, "t2"),
        RenameColumn(table.id, "a", "a2"),
        RenameItem(view.id, "v2"),
    )
    renamed = state.items[table.id]
    assert (renamed.oid, renamed.name, renamed.desc.names) == (table.oid, "t2", ("a2", "b", "c"))
    assert str(state.full_name(renamed)) == "s2.t2"
    assert state.items[view.id].definition == view.definition


def test_schemas_exchange_their_names_whatever_they_are_called_by_then() -> None:
    catalog = Catalog()
    one, other = catalog.schema("s"), catalog.schema("t")
    table = catalog.table("x", schema="s")
    swap = SwapSchemas(one, other)
    state = catalog.apply(swap)
    assert str(state.full_name(state.items[table.id])) == "t.x"
    state = catalog.apply(swap, RenameSchema(one, "u"), swap)
    assert (state.schemas[one].name, state.schemas[other].name) == ("t", "u")
    far = catalog.allocator.oid()
    catalog.apply(CreateDatabase(catalog.allocator.oid(), "far", SUPERUSER_OID, far))
    assert _refused(catalog, SwapSchemas(one, far)).sqlstate is Sqlstate.FEATURE_NOT_SUPPORTED


def test_renaming_a_column_to_another_is_refused() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    error = _refused(catalog, RenameColumn(table.id, "a", "b"))
    assert (error.sqlstate, error.message) == (
        Sqlstate.DUPLICATE_COLUMN,
        'column "b" of relation "t" already exists',
    )
    assert _refused(catalog, RenameColumn(table.id, "z", "y")).sqlstate is Sqlstate.UNDEFINED_COLUMN


def test_no_relation_takes_a_name_of_columns_of_decimals() -> None:
    catalog = Catalog()
    name = "........decimals.1.0........"
    with pytest.raises(SqlError) as caught:
        catalog.table("t", desc=relation_desc(("a", NUMERIC), (name, INT4)))
    assert caught.value.sqlstate is Sqlstate.RESERVED_NAME


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((("a", INT4),), "cannot drop columns from view"),
        ((("z", INT4), ("b", TEXT)), 'cannot change name of view column "a" to "z"'),
        ((("a", INT8), ("b", TEXT)), 'cannot change data type of view column "a" from integer to bigint'),
    ],
)
def test_a_replaced_view_keeps_its_columns(columns: tuple[tuple[str, ScalarType], ...], message: str) -> None:
    catalog = Catalog()
    view = catalog.view("v", desc=relation_desc(("a", INT4), ("b", TEXT)))
    replacement = View(relation_desc(*columns), "", (), QualifiedName("headwater", "public", "v"), ())
    error = _refused(catalog, ReplaceView(view.id, replacement))
    assert (error.sqlstate, error.message) == (Sqlstate.INVALID_TABLE_DEFINITION, message)


def test_a_view_never_comes_to_depend_on_itself() -> None:
    catalog = Catalog()
    view = catalog.view("v")
    above = catalog.view("w", view)
    error = _refused(catalog, ReplaceView(view.id, view_of(catalog.state, "v", [above.id])))
    assert error.sqlstate is Sqlstate.INVALID_OBJECT_DEFINITION


def test_dropping_a_schema_that_is_not_empty_needs_cascade() -> None:
    catalog = Catalog()
    schema = catalog.schema("s")
    table = catalog.table("t", schema="s")
    catalog.view("v", table)
    error = _refused(catalog, DropSchemas((schema,), cascade=False, search_path=("public",)))
    assert error.detail == "table s.t depends on schema s\nview v depends on table s.t"
    assert catalog.apply(DropSchemas((schema,), cascade=True)).items == {}
