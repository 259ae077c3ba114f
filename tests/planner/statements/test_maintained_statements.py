"""Statements about indexes and materialized views: what they say, and what is refused."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.types.relation_desc import relation_desc
from model.types.scalar_type import INT4, TEXT
from planner.catalog_view import ItemKind, KeyOrder, QualifiedName
from planner.ir.scalar import Column
from planner.plans.explaining import ExplainedObject, ExplainPlan, ExplainStage
from planner.plans.objects import AlterRetainHistoryPlan, DropPlan, ObjectKind, RenamePlan, SwapPlan
from planner.plans.plan import Plan
from planner.plans.views import CheckPlan, CreateIndexPlan, CreateMaterializedViewPlan, PlannedIndexKey, RefreshPlan
from planner.statements.plan_statement import result_of
from planner.syntax.parse import parse
from tests.planner.small_catalog import SmallCatalog

_DESC = relation_desc(("a", INT4), ("b", TEXT), ("Odd", INT4))
INDEX, VIEW, MATERIALIZED = ObjectKind.INDEX, ObjectKind.VIEW, ObjectKind.MATERIALIZED_VIEW
HOUR_MS = 3_600_000


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for name, kind in (
        ("t", ItemKind.TABLE),
        ("v", ItemKind.VIEW),
        ("m", ItemKind.MATERIALIZED_VIEW),
        ("i", ItemKind.INDEX),
        ("catalogued", ItemKind.SYSTEM),
    ):
        catalog.add(QualifiedName("headwater", "public", name), kind, _DESC)
    return catalog


def _index(plan: Plan) -> CreateIndexPlan:
    assert isinstance(plan, CreateIndexPlan)
    return plan


def _view(plan: Plan) -> CreateMaterializedViewPlan:
    assert isinstance(plan, CreateMaterializedViewPlan)
    return plan


# Indexes


def test_an_index_has_expressions_over_what_it_is_on_and_their_text(catalog: SmallCatalog) -> None:
    plan = _index(catalog.plan('create index concurrently on v (a desc, "Odd", lower(b), (a + 1), (b))'))
    keys = plan.keys
    assert [(key.sql, key.name) for key in keys] == [
        ("a", "a"),
        ('"Odd"', "Odd"),
        ("lower(b)", "lower"),
        ("(a + 1)", "expr"),
        ("b", "b"),
    ]
    assert keys[0] == PlannedIndexKey(Column(0, INT4), "a", "a", KeyOrder(descending=True, nulls_first=True))
    assert (plan.name, plan.relation.name, plan.if_not_exists) == (None, "v", False)


def test_a_default_index_has_all_columns_until_fewer_are_found(catalog: SmallCatalog) -> None:
    plan = _index(catalog.plan("create default index if not exists x in cluster default on public.m"))
    assert (plan.name, plan.default, plan.if_not_exists, plan.relation.name) == ("x", True, True, "m")
    assert [key.name for key in plan.keys] == ["a", "b", "Odd"]
    assert _index(catalog.plan("create default index on t")).name is None


def test_an_index_takes_its_retention(catalog: SmallCatalog) -> None:
    plan = _index(catalog.plan("create index x on t using arrangement (a) with (retain history = for '1h')"))
    assert plan.retain_history_ms == HOUR_MS


@pytest.mark.parametrize(
    ("sql", "sqlstate", "message"),
    [
        ("create unique index on v (a)", "0A000", "a UNIQUE index on a view is not supported"),
        ("create index on v (a) where a > 1", "0A000", "a partial index on a view is not supported"),
        ("create index on t (a) where random() > 1", "42P17", "functions in index predicate must be marked IMMUTABLE"),
        ("create index on v (a) include (a)", "0A000", "INCLUDE in an index on a view is not supported"),
        ("create index on t (a) include (lower(b))", "0A000", "expressions are not supported in included columns"),
        ("create index on t using gin (a)", "0A000", 'access method "gin" is not supported'),
        ("create index on t using heap2 (a)", "42704", 'access method "heap2" does not exist'),
        ("create index on nothing (a)", "42P01", 'relation "nothing" does not exist'),
        ("create index on t (nothing)", "42703", 'column "nothing" does not exist'),
        ("create index on i (a)", "42809", 'cannot open relation "i"'),
        ("create index on catalogued (a)", "42501", 'permission denied: "catalogued" is a system catalog'),
        ("create index on t (random())", "42P17", "functions in index expression must be marked IMMUTABLE"),
        ("create index on t ((now()))", "42P17", "functions in index expression must be marked IMMUTABLE"),
        ("create index on t (((select 1)))", "0A000", "cannot use subquery in index expression"),
        ("create index on t (sum(a))", "42803", "aggregate functions are not allowed in index expressions"),
        ("create index on t (generate_series(1, a))", "0A000", None),
        ("create index x in cluster other on t (a)", "42704", 'cluster "other" does not exist'),
        ("select * from i", "42809", 'cannot open relation "i"'),
    ],
)
def test_an_index_that_would_promise_too_much_is_refused(
    catalog: SmallCatalog, sql: str, sqlstate: str, message: str | None
) -> None:
    with pytest.raises(SqlError) as caught:
        catalog.plan(sql)
    assert caught.value.sqlstate.value == sqlstate
    assert message is None or caught.value.message == message


# Materialized views


def test_a_materialized_views_text_names_schemas_and_ends_with_its_query(catalog: SmallCatalog) -> None:
    plan = _view(catalog.plan("create materialized view x (k) as select a, b from t where a > 1 with no data"))
    assert plan.create_sql == "CREATE MATERIALIZED VIEW public.x (k, b) AS select a, b from public.t where a > 1"
    assert (plan.columns, plan.with_data, plan.strict, plan.or_replace) == (("k", "b"), False, False, False)
    planned_again = _view(catalog.plan(plan.create_sql))
    assert planned_again.query == plan.query and planned_again.with_data


def test_a_materialized_view_takes_how_it_is_kept(catalog: SmallCatalog) -> None:
    sql = (
        "create or replace materialized view x in cluster default"
        " with (incremental = strict, retain history = for '1h') as select 'as' as c from t with data"
    )
    plan = _view(catalog.plan(sql))
    assert (plan.strict, plan.or_replace, plan.retain_history_ms) == (True, True, HOUR_MS)
    assert plan.create_sql == "CREATE MATERIALIZED VIEW public.x AS select 'as' as c from public.t"


@pytest.mark.parametrize(
    ("sql", "sqlstate"),
    [
        ("create materialized view x with (incremental = maybe) as select 1", "22023"),
        ("create materialized view x with (other) as select 1", "22023"),
        ("create materialized view x (a, b) as select 1", "42601"),
        ("create materialized view x as select 1 a, 2 a", "42701"),
        ("create materialized view x as select $1::int", "42P02"),
        ("create materialized view x in cluster other as select 1", "42704"),
        ("create materialized view x using columnar as select 1", "0A000"),
        ("insert into m values (1)", "42809"),
        ("update m set a = 1", "42809"),
        ("delete from m", "42809"),
        ("alter materialized view m set (fillfactor = 3)", "0A000"),
        ("alter index i swap with j", "0A000"),
    ],
)
def test_what_a_materialized_view_cannot_be_is_refused(catalog: SmallCatalog, sql: str, sqlstate: str) -> None:
    with pytest.raises(SqlError) as caught:
        catalog.plan(sql)
    assert caught.value.sqlstate.value == sqlstate


# Both


@pytest.mark.parametrize(
    ("sql", "plan"),
    [
        ("drop index if exists a, s.b cascade", DropPlan(INDEX, (("a",), ("s", "b")), True, True)),
        ("drop index concurrently a", DropPlan(INDEX, (("a",),), False, False)),
        ("drop materialized view a restrict", DropPlan(MATERIALIZED, (("a",),), False, False)),
        ("alter index a rename to b", RenamePlan(INDEX, ("a",), "b", False)),
        ("alter materialized view s.a rename to b", RenamePlan(MATERIALIZED, ("s", "a"), "b", False)),
        ("alter materialized view a rename x to y", RenamePlan(MATERIALIZED, ("a",), "y", False, "x")),
        ("alter materialized view s.a swap with b", SwapPlan(MATERIALIZED, ("s", "a"), "b")),
        (
            "alter materialized view a set (retain history = for '1h')",
            AlterRetainHistoryPlan(MATERIALIZED, ("a",), HOUR_MS),
        ),
        ("alter index if exists a reset (retain history)", AlterRetainHistoryPlan(INDEX, ("a",), None, True)),
        ("refresh materialized view concurrently s.a", RefreshPlan(("s", "a"), True)),
        ("refresh materialized view a with no data", RefreshPlan(("a",), False)),
    ],
)
def test_what_is_done_to_a_maintained_object(catalog: SmallCatalog, sql: str, plan: Plan) -> None:
    assert catalog.plan(sql) == plan


def test_check_gives_differences_and_then_the_rows(catalog: SmallCatalog) -> None:
    plan = catalog.plan("check view m as of 5")
    assert isinstance(plan, CheckPlan)
    assert (plan.kind, plan.target, plan.desc.names) == (VIEW, catalog.id_of("m"), ("mz_diff", "a", "b", "Odd"))
    assert plan.as_of is not None and result_of(plan) == plan.desc


@pytest.mark.parametrize("sql", ["check view t", "check index m", "check materialized view v"])
def test_check_wants_what_is_maintained(catalog: SmallCatalog, sql: str) -> None:
    with pytest.raises(SqlError) as caught:
        catalog.plan(sql)
    assert caught.value.sqlstate.value == "42809"


def test_explain_takes_objects_and_what_would_create_them(catalog: SmallCatalog) -> None:
    plan = catalog.plan("explain physical plan for materialized view m")
    assert isinstance(plan, ExplainPlan)
    assert (plan.stage, plan.statement) == (ExplainStage.PHYSICAL, ExplainedObject(MATERIALIZED, catalog.id_of("m")))
    created = catalog.plan("explain physical plan for create index on t (a)")
    assert isinstance(created, ExplainPlan) and isinstance(created.statement, CreateIndexPlan)
    plain = catalog.plan("explain create materialized view x as select 1")
    assert isinstance(plain, ExplainPlan) and isinstance(plain.statement, CreateMaterializedViewPlan)


@pytest.mark.parametrize(
    ("sql", "kind", "name", "on"),
    [
        ("show indexes on t", "indexes", ("t",), True),
        ("show indexes from s", "indexes", ("s",), False),
        ("show materialized views in s like 'a%'", "materialized views", ("s",), False),
    ],
)
def test_show_lists_them(sql: str, kind: str, name: tuple[str, ...], on: bool) -> None:
    show = parse(sql)[0].extension.show
    assert show is not None and (show.kind, show.name, show.on) == (kind, name, on)
