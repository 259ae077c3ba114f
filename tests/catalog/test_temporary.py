"""Temporary schemas: where the search path has them, and which changes are their session's own business."""

from __future__ import annotations

import json

import pytest

from catalog.changes.apply import apply
from catalog.changes.change import (
    Change,
    CreateItem,
    CreateSchema,
    DropItems,
    DropSchemas,
    RenameItem,
    SetConfiguration,
)
from catalog.changes.temporary import confined, discard, drop_all, drop_schema
from catalog.durable.rows import load, rows
from catalog.facts.visibility import effective_path
from catalog.nouns.items import SUPERUSER_OID, Table
from model.errors.sql_error import SqlError
from planner.catalog_view import OnCommit
from planner.temporary_schema import is_temporary, named_schemas, own_name, own_schema, search_path_of
from tests.catalog.catalogs import DESC, Catalog

_OWN = "pg_temp_7"


def with_schema(catalog: Catalog, name: str) -> int:
    oid = catalog.allocator.oid()
    catalog.apply(CreateSchema(oid, "headwater", name, SUPERUSER_OID, temporary=True))
    return oid


@pytest.mark.parametrize(
    ("named", "without", "searched"),
    [
        (("public",), ("pg_catalog", "public"), (_OWN, "pg_catalog", "public")),
        ((), ("pg_catalog",), (_OWN, "pg_catalog")),
        (("s", "pg_catalog"), ("s", "pg_catalog"), (_OWN, "s", "pg_catalog")),
        (("s", "pg_temp"), ("pg_catalog", "s", "pg_temp"), ("pg_catalog", "s", _OWN)),
        (("pg_temp", "s"), ("pg_catalog", "pg_temp", "s"), ("pg_catalog", _OWN, "s")),
        ((_OWN, "s"), ("pg_catalog", "pg_temp", "s"), ("pg_catalog", _OWN, "s")),
        (("pg_temp_8", "s"), ("pg_catalog", "s"), (_OWN, "pg_catalog", "s")),
    ],
)
def test_temporary_relations_are_searched_first_unless_the_path_says_where(
    named: tuple[str, ...], without: tuple[str, ...], searched: tuple[str, ...]
) -> None:
    assert effective_path(search_path_of(named, _OWN, exists=False)) == without
    assert effective_path(search_path_of(named, _OWN, exists=True)) == searched


def test_a_path_tells_whose_it_is_and_what_was_named() -> None:
    path = search_path_of(("s", _OWN), _OWN, exists=True)
    assert own_schema(path) == _OWN and named_schemas(path) == ("s", "pg_temp")
    assert own_name("pg_temp", path) == _OWN and own_name("s", path) == "s"
    assert own_schema(("public",)) is None and own_name("pg_temp", ("public",)) == "pg_temp"


@pytest.mark.parametrize("name", ["pg_temp", "pg_temp_", "pg_temp_x", "pg_temp_1x", "xpg_temp_1", "pg_toast_temp_1"])
def test_only_numbered_schemas_are_temporary(name: str) -> None:
    assert is_temporary(_OWN) and not is_temporary(name)


def test_users_cannot_make_a_temporary_schema_and_none_is_made_twice() -> None:
    catalog = Catalog()
    with_schema(catalog, _OWN)
    for name, temporary in ((_OWN, True), (_OWN, False), ("pg_temp_8", False)):
        with pytest.raises(SqlError):
            catalog.apply(CreateSchema(catalog.allocator.oid(), "headwater", name, SUPERUSER_OID, temporary))


def test_changes_of_temporary_relations_are_their_sessions_own_business() -> None:
    catalog = Catalog()
    own = with_schema(catalog, _OWN)
    public, temporary = catalog.table("p"), catalog.table("t", _OWN)
    state, allocator = catalog.state, catalog.allocator
    table = Table(DESC, (None,) * DESC.arity, None, "")

    def made(schema: str) -> Change:
        place = ("headwater", schema, "x", SUPERUSER_OID, 7)
        return CreateItem(allocator.user_id(), allocator.oid(), *place, table)

    private: list[Change] = [
        CreateSchema(allocator.oid(), "headwater", "pg_temp_8", SUPERUSER_OID, temporary=True),
        made(_OWN),
        RenameItem(temporary.id, "y"),
        DropItems((temporary.id,), cascade=True),
        DropSchemas((own,), cascade=True),
    ]
    shared: list[Change] = [
        CreateSchema(allocator.oid(), "headwater", "s", SUPERUSER_OID),
        made("public"),
        RenameItem(public.id, "y"),
        DropItems((temporary.id, public.id), cascade=True),
        DropSchemas((own, public.schema), cascade=True),
        SetConfiguration("a", "b"),
    ]
    assert all(confined(state, change) for change in private)
    assert not any(confined(state, change) for change in shared)
    assert all(apply(state, [change]).shared_version == state.shared_version for change in private)
    assert all(apply(state, [change]).shared_version > state.shared_version for change in shared)


def test_what_ends_them_leaves_everything_else() -> None:
    catalog = Catalog()
    public = catalog.table("p")
    before = catalog.state
    for schema in (_OWN, "pg_temp_8"):
        with_schema(catalog, schema)
        catalog.view("v", catalog.table("t", schema), schema=schema)
    state = catalog.state
    emptied = apply(state, discard(state, _OWN))
    assert emptied.schemas == state.schemas and len(emptied.items) == 3
    dropped = apply(state, drop_schema(state, _OWN))
    assert len(dropped.schemas) == len(state.schemas) - 1 and len(dropped.items) == 3
    assert set(apply(state, drop_all(state)).items) == {public.id}
    assert discard(before, _OWN) == drop_schema(before, _OWN) == drop_all(before) == ()


def test_rows_of_tables_written_before_there_was_on_commit_are_as_they_were() -> None:
    catalog = Catalog()
    kept = catalog.table("t")
    emptied = Table(DESC, (None,) * DESC.arity, None, "", OnCommit.DELETE_ROWS)
    change = CreateItem(
        catalog.allocator.user_id(), catalog.allocator.oid(), "headwater", "public", "e", SUPERUSER_OID, 7, emptied
    )
    catalog.apply(change)
    values = {key: json.loads(value) for kind, key, value in rows(catalog.state) if kind == "item"}
    assert "on_commit" not in values[str(kept.id)] and values[str(change.id)]["on_commit"] == "delete rows"
    assert load(rows(catalog.state)) == catalog.state
