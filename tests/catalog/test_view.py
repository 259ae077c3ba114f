"""What the planner sees: names to relations, and views that outlive renames."""

from catalog.changes.change import CreateDatabase, RenameColumn, RenameDatabase, RenameItem, RenameSchema
from catalog.lookup.planner_view import BoundCatalogView, StateCatalogView
from catalog.nouns.items import SUPERUSER_OID, View
from model.ids.global_id import GlobalId
from planner.catalog_view import CatalogView, ItemKind, ItemView
from tests.catalog.catalogs import Catalog

_PATH = ("public",)


def _resolve(view: CatalogView, *parts: str, path: tuple[str, ...] = _PATH) -> ItemView | None:
    return view.resolve_item(parts, path, "headwater")


def test_names_of_one_two_and_three_parts_find_the_same_item() -> None:
    catalog = Catalog()
    table = catalog.table("t")
    view = StateCatalogView(catalog.state)
    found = _resolve(view, "t")
    assert found is not None and found.id == table.id
    assert _resolve(view, "public", "t") == _resolve(view, "headwater", "public", "t") == found
    assert view.item(table.id) == view.item_by_oid(table.oid) == found
    assert _resolve(view, "T") is _resolve(view, "no", "t") is _resolve(view, "no", "public", "t") is None
    assert _resolve(view, "a", "b", "c", "d") is None


def test_the_search_path_decides_in_its_order() -> None:
    catalog = Catalog()
    catalog.schema("s")
    first, second = catalog.table("t"), catalog.table("t", schema="s")
    view = StateCatalogView(catalog.state)
    assert [_resolve(view, "t", path=path).id for path in (("s", "public"), ("public", "s"))] == [  # type: ignore[union-attr]
        second.id,
        first.id,
    ]
    assert _resolve(view, "t", path=()) is None


def test_pg_catalog_comes_first_unless_the_path_says_where() -> None:
    catalog = Catalog()
    own = catalog.table("pg_class")
    view = StateCatalogView(catalog.state)
    hidden, shown = _resolve(view, "pg_class"), _resolve(view, "pg_class", path=("public", "pg_catalog"))
    assert hidden is not None and (hidden.kind, hidden.id) == (ItemKind.SYSTEM, GlobalId.system(1259))
    assert shown is not None and shown.id == own.id


def test_system_schemas_are_in_every_database() -> None:
    catalog = Catalog()
    catalog.apply(CreateDatabase(catalog.allocator.oid(), "d", SUPERUSER_OID, catalog.allocator.oid()))
    view = StateCatalogView(catalog.state)
    assert view.schemas("d") == view.schemas("headwater")
    assert {"pg_catalog", "information_schema", "mz_catalog", "mz_internal", "public"} <= set(view.schemas("d"))
    assert view.schema_oid("d", "pg_catalog") == view.schema_oid("headwater", "pg_catalog") == 11
    assert view.schema_oid("d", "public") != view.schema_oid("headwater", "public")


def test_a_views_sql_keeps_its_meaning_through_every_rename() -> None:
    catalog = Catalog()
    schema = catalog.schema("s")
    table = catalog.table("t", schema="s")
    view = catalog.view("v", table)
    database = catalog.state.database_named("headwater")
    assert database is not None
    catalog.apply(
        RenameItem(table.id, "renamed"),
        RenameColumn(table.id, "a", "other"),
        RenameSchema(schema, "elsewhere"),
        RenameDatabase(database.oid, "moved"),
    )
    decoy = Catalog(catalog.state, catalog.allocator)
    decoy.schema("s", "moved")
    decoy.table("t", schema="s", database="moved")
    definition = decoy.state.items[view.id].definition
    assert isinstance(definition, View)
    bound = BoundCatalogView(decoy.state, definition)
    found = bound.resolve_item(("s", "t"), (), definition.written.database)
    assert found is not None and found.id == table.id
    assert found.desc == table.desc
    assert {"s", "public"} <= set(bound.schemas("headwater")) and bound.schema_oid("headwater", "s") is not None


def test_columns_that_came_later_are_not_seen_by_older_views() -> None:
    from catalog.changes.change import ReplaceView
    from model.types.relation_desc import relation_desc
    from model.types.scalar_type import INT4
    from tests.catalog.catalogs import view_of

    catalog = Catalog()
    narrow, wide = relation_desc(("a", INT4)), relation_desc(("a", INT4), ("b", INT4))
    inner = catalog.view("inner", desc=narrow)
    outer = catalog.view("outer", inner, desc=narrow)
    catalog.apply(ReplaceView(inner.id, view_of(catalog.state, "inner", [], wide)))
    assert isinstance(outer.definition, View)
    bound = BoundCatalogView(catalog.state, outer.definition)
    found = bound.resolve_item(("public", "inner"), (), "headwater")
    assert found is not None and found.desc == narrow


def test_a_bound_catalog_holds_nothing_that_the_view_did_not_name() -> None:
    catalog = Catalog()
    view = catalog.view("v", catalog.table("t"))
    catalog.table("u")
    assert isinstance(view.definition, View)
    bound = BoundCatalogView(catalog.state, view.definition)
    assert _resolve(bound, "public", "t") is not None
    assert _resolve(bound, "pg_catalog", "pg_class") is not None
    assert _resolve(bound, "public", "v") is _resolve(bound, "public", "u") is None
