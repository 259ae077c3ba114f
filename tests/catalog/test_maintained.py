"""Indexes and materialized views in the catalog: what goes with what, what is rebuilt, what is never given again."""

from __future__ import annotations

import dataclasses

import pytest

from catalog.changes.change import (
    DropItems,
    DropSchemas,
    RebuildItems,
    RenameColumn,
    RenameItem,
    ReplaceView,
    SwapItems,
)
from catalog.durable.rows import load, rows
from catalog.nouns.index_names import index_name
from catalog.nouns.items import Index, MaterializedView
from catalog.sql.definitions import create_sql
from catalog.state.allocate import IdAllocator
from model.errors.sql_error import SqlError
from tests.catalog.catalogs import Catalog, materialized_view_of


def test_an_index_goes_with_what_it_is_on_and_nobody_is_asked() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    index = catalog.index("i", table)
    state = catalog.apply(DropItems((table.id,), cascade=False))
    assert index.id not in state.items and table.id not in state.items


def test_a_materialized_view_keeps_what_it_reads_from_being_dropped() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.materialized_view("m", table)
    catalog.index("i", view)
    with pytest.raises(SqlError) as raised:
        catalog.apply(DropItems((table.id,), cascade=False))
    assert raised.value.detail == "materialized view public.m depends on table public.t"
    assert not catalog.apply(DropItems((table.id,), cascade=True)).items


def test_a_schemas_indexes_are_no_reason_to_keep_it() -> None:
    catalog = Catalog()
    schema = catalog.schema("s")
    catalog.index("i", catalog.table("t"))
    assert schema not in catalog.apply(DropSchemas((schema,), cascade=False)).schemas


def test_what_reads_a_replaced_view_is_found_each_after_what_it_reads() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    v = catalog.view("v", table)
    m = catalog.materialized_view("m", v)
    w = catalog.view("w", m, table)
    i = catalog.index("i", w)
    n = catalog.materialized_view("n", w, m)
    j = catalog.index("j", n)
    catalog.index("other", table)
    found = [item.name for item in catalog.state.maintained_dependents(v.id)]
    assert sorted(found) == ["i", "j", "m", "n"]
    assert found.index("m") < found.index("n") < found.index("j") and found.index("m") < found.index("i")
    assert {i.id, j.id, n.id} <= {item.id for item in catalog.state.maintained_dependents(m.id)}


def test_what_is_rebuilt_has_a_new_collection_and_is_what_it_was() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = catalog.view("v", table)
    reader = catalog.materialized_view("m", view)
    before = reader.definition
    assert isinstance(before, MaterializedView)
    change = RebuildItems(((reader.id, catalog.allocator.user_id()),))
    after = catalog.apply(change).items[reader.id].definition
    assert isinstance(after, MaterializedView) and after.collection != before.collection
    assert dataclasses.replace(after, collection=before.collection) == before


def test_a_rebuilding_that_missed_a_new_reader_is_refused() -> None:
    catalog = Catalog()
    view = catalog.materialized_view("m", catalog.table("t"))
    change = RebuildItems(((view.id, catalog.allocator.user_id()),))
    catalog.index("i", view)
    with pytest.raises(SqlError) as raised:
        catalog.apply(change)
    assert raised.value.sqlstate.value == "40001"


def test_a_materialized_view_may_come_to_have_other_columns_until_something_reads_it() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    item = catalog.materialized_view("m", table)
    narrow = dataclasses.replace(
        materialized_view_of(catalog.state, catalog.allocator, "m", [table.id]),
        desc=dataclasses.replace(table.desc, columns=table.desc.columns[:1]),
    )
    assert catalog.apply(ReplaceView(item.id, narrow)).items[item.id].desc.arity == 1
    catalog.index("i", item)
    wide = materialized_view_of(catalog.state, catalog.allocator, "m", [table.id])
    catalog.apply(ReplaceView(item.id, wide))
    with pytest.raises(SqlError) as raised:
        catalog.apply(ReplaceView(item.id, narrow))
    assert raised.value.sqlstate.value == "42P16"


def test_swapped_items_have_each_others_names_and_their_readers_stay_with_them() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    a, b = catalog.materialized_view("a", table), catalog.materialized_view("b", table)
    reader = catalog.view("v", a)
    state = catalog.apply(SwapItems(a.id, b.id))
    assert (state.items[a.id].name, state.items[b.id].name) == ("b", "a")
    found = state.item_named(a.schema, "a")
    assert found is not None and found.id == b.id
    assert state.items[reader.id].depends_on == {a.id}
    with pytest.raises(SqlError):
        catalog.apply(SwapItems(a.id, reader.id))


def test_a_collections_id_is_never_given_again_after_a_restart() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    item = catalog.materialized_view("m", table)
    anew = materialized_view_of(catalog.state, catalog.allocator, "m", [table.id])
    catalog.apply(ReplaceView(item.id, anew))
    catalog.apply(DropItems((item.id,), cascade=False))
    restarted = IdAllocator(load(rows(catalog.state)))
    assert restarted.user_id() > anew.collection


def test_definitions_of_indexes_show_present_names() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    index = catalog.index("i", table)
    assert isinstance(index.definition, Index)
    assert index.definition.create_sql == "CREATE INDEX ON public.t (a, ((b || '')))"
    catalog.apply(RenameColumn(table.id, "b", "B b"), RenameItem(table.id, "u"), RenameItem(index.id, "j"))
    item = catalog.state.items[index.id]
    assert create_sql(catalog.state, item) == "CREATE INDEX j ON public.u USING btree (a, ((\"B b\" || '')));"


def test_names_that_are_made_up_are_free() -> None:
    taken = {"t_a_idx", "t_a_idx1", "t_primary_idx"}
    assert index_name("t", ["a"], False, taken.__contains__) == "t_a_idx2"
    assert index_name("t", ["a", "b"], True, taken.__contains__) == "t_primary_idx1"
    assert len(index_name("é" * 60, ["ü" * 60], False, taken.__contains__).encode()) <= 63
