"""SUBSCRIBE and statements about read holds as plans: columns, keys, times, and what is refused where."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.types.scalar_type import BOOL, INT4, INT8, MZ_TIMESTAMP, TEXT, numeric
from planner.ir.properties import relation_desc_of
from planner.ir.query import AsOf
from planner.ir.relation import Get, Project
from planner.ir.scalar import Column, scalar_type
from planner.plans.copying import CopySubscribePlan
from planner.plans.plan import Plan
from planner.plans.read_holds import (
    AdvanceReadHoldPlan,
    CloneReadHoldPlan,
    CreateReadHoldPlan,
    DropReadHoldPlan,
    TransferReadHoldPlan,
)
from planner.plans.session import DeclareCursorPlan, FetchPlan
from planner.plans.subscribing import Debezium, Differences, Earliest, SubscribePlan, Upsert, UpTo
from tests.planner.rules.told_queries import catalog_of_rows
from tests.planner.small_catalog import SmallCatalog

_TIME = ("mz_timestamp", numeric(20), False)


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    catalog.run("create table t (a int not null, b text)")
    return catalog


def subscribe(catalog: SmallCatalog, sql: str) -> SubscribePlan:
    plan = catalog.plan(sql)
    assert isinstance(plan, SubscribePlan)
    return plan


def columns(plan: SubscribePlan) -> list[tuple[object, ...]]:
    return [(column.name, column.type, column.nullable) for column in plan.desc.columns]


@pytest.mark.parametrize(
    ("query", "stored", "decimals"),
    [
        ("(SELECT * FROM a)", (0, 1, 2, 3, 4, 5), ((1, 4), (2, 5))),
        ("(SELECT m, k FROM a)", (2, 0, 5), ((0, 2),)),
        ("(SELECT x, x AS y, p FROM (SELECT k, p, n AS x FROM a) q)", (1, 1, 3, 4, 4), ((0, 3), (1, 4))),
    ],
)
def test_columns_of_a_table_are_followed_with_its_stored_decimals(
    query: str, stored: tuple[int, ...], decimals: tuple[tuple[int, int], ...]
) -> None:
    plan = subscribe(catalog_of_rows({"a": []}), f"SUBSCRIBE {query}")
    relation = plan.relation
    columns = relation.columns if isinstance(relation, Project) else tuple(range(relation_desc_of(relation).arity))
    assert isinstance(relation.input if isinstance(relation, Project) else relation, Get)
    assert (columns, plan.decimals) == (stored, decimals)


def test_differences_have_time_diff_and_the_columns(catalog: SmallCatalog) -> None:
    plan = subscribe(catalog, "subscribe t")
    assert plan.relation == Get(catalog.id_of("t"), catalog.items[0].desc)
    assert columns(plan) == [_TIME, ("mz_diff", INT8, False), ("a", INT4, False), ("b", TEXT, True)]
    assert (plan.output, plan.snapshot, plan.progress, plan.as_of, plan.up_to) == (
        Differences(()),
        True,
        False,
        None,
        None,
    )


def test_rows_of_progress_have_nothing_else(catalog: SmallCatalog) -> None:
    plan = subscribe(catalog, "subscribe (select b, a as b from t) with (progress)")
    assert columns(plan) == [
        _TIME,
        ("mz_progressed", BOOL, False),
        ("mz_diff", INT8, True),
        ("b", TEXT, True),
        ("b", INT4, True),
    ]


def test_envelopes_put_the_keys_first(catalog: SmallCatalog) -> None:
    upsert = subscribe(catalog, "subscribe (select 1 as x, b, a from t) envelope upsert (key (a, x))")
    assert upsert.output == Upsert((2, 0))
    assert [column.name for column in upsert.desc.columns] == ["mz_timestamp", "mz_state", "a", "x", "b"]
    debezium = subscribe(catalog, "subscribe (select 1 as x, b, a from t) envelope debezium (key (a))")
    assert debezium.output == Debezium((2,))
    names = [column.name for column in debezium.desc.columns]
    assert names == ["mz_timestamp", "mz_state", "a", "before_x", "before_b", "after_x", "after_b"]


def test_orders_see_the_diff_and_the_columns(catalog: SmallCatalog) -> None:
    plan = subscribe(catalog, "subscribe t within timestamp order by b desc nulls last, mz_diff")
    assert isinstance(plan.output, Differences)
    first, second = plan.output.order
    assert (first.expression, first.descending, first.nulls_first) == (Column(2, TEXT), True, False)
    assert (second.expression, second.descending) == (Column(0, INT8), False)


def test_times_are_expressions(catalog: SmallCatalog) -> None:
    plan = subscribe(catalog, "subscribe t as of at least '2024-05-06 07:08:09Z' up to 1715000000000 + 5")
    assert isinstance(plan.as_of, AsOf) and plan.as_of.at_least
    assert isinstance(plan.up_to, UpTo) and plan.up_to.time is not None
    assert scalar_type(plan.as_of.time) == scalar_type(plan.up_to.time) == MZ_TIMESTAMP
    whole = subscribe(catalog, "tail t as of earliest until latest")
    assert (whole.as_of, whole.up_to) == (Earliest(), UpTo(None))


def test_statements_that_hold_one(catalog: SmallCatalog) -> None:
    copy = catalog.plan("copy (subscribe t with (progress)) to stdout (format csv)")
    assert isinstance(copy, CopySubscribePlan) and copy.subscribe.progress and copy.options.format == "csv"
    declare = catalog.plan("declare c cursor for subscribe t as of 5")
    assert isinstance(declare, DeclareCursorPlan)
    assert (declare.query_sql, declare.scroll, declare.hold) == ("subscribe t as of 5", False, False)
    fetch = catalog.plan("fetch 5 c with (timeout = '1.5 s')")
    assert fetch == FetchPlan("c", "forward", 5, False, 1500)
    assert catalog.plan("fetch all c with (timeout = 0)") == FetchPlan("c", "forward", None, False, 0)


def test_read_holds(catalog: SmallCatalog) -> None:
    plan = catalog.plan("create read hold h on t, t at 5 with lease '1 h'")
    assert isinstance(plan, CreateReadHoldPlan) and plan.at is not None and not plan.at.at_least
    assert (plan.name, plan.objects, plan.lease_ms) == ("h", (catalog.id_of("t"),), 3_600_000)
    assert catalog.plan("create read hold if not exists k from h") == CloneReadHoldPlan("k", "h", None, True)
    advance = catalog.plan("alter read hold h advance to 7")
    assert isinstance(advance, AdvanceReadHoldPlan) and advance.time is not None
    assert catalog.plan("alter read hold if exists h renew") == AdvanceReadHoldPlan("h", None, True)
    assert catalog.plan("alter read hold h owner to ada") == TransferReadHoldPlan("h", "ada", False)
    assert catalog.plan("drop read hold h, k") == DropReadHoldPlan(("h", "k"), False)


@pytest.mark.parametrize(
    ("sql", "sqlstate", "position"),
    [
        ("subscribe nothing", "42P01", 11),
        ("subscribe (select c from t)", "42703", 19),
        ("subscribe t envelope upsert (key (c))", "42703", 35),
        ("subscribe t envelope upsert (key (a, a))", "42701", 38),
        ("subscribe (select a, b as a from t) envelope debezium (key (a))", "42702", 61),
        ("subscribe t within timestamp order by c", "42703", 39),
        ("subscribe t within timestamp order by 1 + 1", "42P10", None),
        ("subscribe t within timestamp order by (select 1 from t)", "0A000", None),
        ("subscribe t as of true", "42804", 19),
        ("subscribe t up to a", "42703", 19),
        ("declare c scroll cursor for subscribe t", "0A000", None),
        ("declare c cursor with hold for subscribe t", "0A000", None),
        ("fetch c with (timeout = '1 month')", "22023", None),
        ("fetch c with (timeout = 'soon')", "22007", None),
        ("create read hold h on nothing", "42P01", 23),
        ("create read hold h on t with lease '0 s'", "22023", None),
        ("copy (subscribe t) to '/tmp/x'", "0A000", None),
    ],
)
def test_what_is_refused(catalog: SmallCatalog, sql: str, sqlstate: str, position: int | None) -> None:
    with pytest.raises(SqlError) as caught:
        catalog.plan(sql)
    assert (caught.value.sqlstate.value, caught.value.position) == (sqlstate, position)


def test_parameters_are_typed(catalog: SmallCatalog) -> None:
    plan: Plan = catalog.plan("subscribe (select b from t where a = $1) as of $2::text::mz_timestamp")
    assert isinstance(plan, SubscribePlan)
