"""Statements other than queries become the plans that say what they mean."""

from __future__ import annotations

import pytest

from model.errors.sql_error import SqlError
from model.types.scalar_type import INT4, MZ_TIMESTAMP, NUMERIC, TEXT, numeric, varchar
from planner.catalog_view import PlanningContext, QualifiedName
from planner.explain import explain
from planner.ir.scalar import Literal, scalar_type
from planner.plans.changes import InsertPlan, UpdatePlan
from planner.plans.copying import CopyFromPlan
from planner.plans.explaining import ExplainPlan
from planner.plans.objects import AlterRetainHistoryPlan, DropPlan, ObjectKind, RenamePlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.session import (
    BeginPlan,
    DeallocatePlan,
    DeclareCursorPlan,
    ExecutePlan,
    FetchPlan,
    PreparePlan,
    ResetAllPlan,
    RollbackPlan,
    SavepointPlan,
    SetTransactionPlan,
    SetVariablePlan,
    ShowVariablePlan,
)
from planner.plans.tables import ColumnDefinition, CreateTablePlan
from planner.plans.views import CreateViewPlan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse
from tests.planner.query.recorded_queries import tables
from tests.planner.small_catalog import SmallCatalog

_ONLY_TEMPORARY = "only temporary relations may be created in temporary schemas"
_DECLARE = "declare c no scroll cursor with hold for select 1"
_RESTRICTED = "cannot create temporary table within security-restricted operation"


@pytest.fixture(scope="module")
def catalog() -> SmallCatalog:
    catalog = SmallCatalog()
    for statement in tables():
        catalog.run(statement)
    return catalog


def test_create_table_says_the_same_when_planned_again(catalog: SmallCatalog) -> None:
    columns = "a int not null, b varchar(3) default 'x' || 'y', c numeric(5,2)"
    sql = f"create table \"T x\" ({columns}) with (retain history for '2h')"
    plan = catalog.plan(sql)
    assert isinstance(plan, CreateTablePlan)
    assert plan.name == QualifiedName("headwater", "public", "T x")
    assert plan.columns == (
        ColumnDefinition("a", INT4, False, None),
        ColumnDefinition("b", varchar(3), True, "'x' || 'y'"),
        ColumnDefinition("c", numeric(5, 2), True, None),
    )
    assert plan.retain_history_ms == 7_200_000
    assert catalog.plan(plan.create_sql) == plan


def test_create_view_writes_every_schema_out(catalog: SmallCatalog) -> None:
    query = "select 'é' || b from t where a in (select a from s) and exists (select from public.v)"
    plan = catalog.plan(f"create or replace view w (p) as {query}")
    assert isinstance(plan, CreateViewPlan) and plan.or_replace and plan.columns == ("p",)
    assert plan.create_sql == (
        "CREATE VIEW public.w (p) AS select 'é' || b from public.t where a in (select a from public.s) "
        "and exists (select from public.v)"
    )
    assert len(plan.depends_on) == 3
    elsewhere = PlanningContext(catalog, "headwater", (), "headwater")
    again = plan_statement(parse(plan.create_sql)[0], elsewhere).plan
    assert isinstance(again, CreateViewPlan) and again.query == plan.query


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("begin", BeginPlan(None, None, None)),
        (
            "start transaction isolation level serializable, read only",
            BeginPlan("serializable", True, None, "START TRANSACTION"),
        ),
        ("rollback and chain", RollbackPlan(True)),
        ("rollback to x", SavepointPlan("rollback_to", "x")),
        ("set transaction read write", SetTransactionPlan(None, False, None, False)),
        ('set search_path = a, "B c"', SetVariablePlan("search_path", 'a, "B c"', False)),
        ("set local x.y = 5", SetVariablePlan("x.y", "5", True)),
        ("set time zone 'UTC'", SetVariablePlan("timezone", "UTC", False)),
        ("reset x", SetVariablePlan("x", None, False, reset=True)),
        ("reset all", ResetAllPlan()),
        ("show time zone", ShowVariablePlan("timezone")),
        (
            "prepare p (int, text) as select $1, $2",
            PreparePlan("p", (INT4, TEXT), "select $1, $2", "prepare p (int, text) as select $1, $2"),
        ),
        ("execute p (5)", ExecutePlan("p", (Literal(5, INT4),))),
        ("deallocate all", DeallocatePlan(None)),
        (_DECLARE, DeclareCursorPlan("c", "select 1", _DECLARE, True, False, False)),
        ("fetch all from c", FetchPlan("c", "forward", None, False)),
        ("move backward 5 in c", FetchPlan("c", "backward", 5, True)),
        ("drop table if exists a.b, c cascade", DropPlan(ObjectKind.TABLE, (("a", "b"), ("c",)), True, True)),
        ("drop schema x", DropPlan(ObjectKind.SCHEMA, (("x",),), False, False)),
        ("alter table t rename to u", RenamePlan(ObjectKind.TABLE, ("t",), "u", False)),
        ("alter view s.w rename column a to b", RenamePlan(ObjectKind.VIEW, ("s", "w"), "b", False, "a")),
        ("alter schema x rename to y", RenamePlan(ObjectKind.SCHEMA, ("x",), "y", False)),
        ("alter table t set (retain history for '1 min')", AlterRetainHistoryPlan(ObjectKind.TABLE, ("t",), 60_000)),
        ("alter table t reset (retain history)", AlterRetainHistoryPlan(ObjectKind.TABLE, ("t",), None)),
    ],
)
def test_a_statement_becomes_its_plan(sql: str, expected: Plan, catalog: SmallCatalog) -> None:
    assert catalog.plan(sql) == expected


@pytest.mark.parametrize(
    ("sql", "sqlstate", "message"),
    [
        (
            "create table x (a int4range, exclude using gist (a with &&))",
            "0A000",
            "EXCLUDE with the operator && is not supported",
        ),
        ("create table x (a int, exclude ((a + 1) with =))", "0A000", "an expression in EXCLUDE is not supported"),
        ("create table x (a serial[])", "0A000", "array of serial is not implemented"),
        ("create temp table public.x (a int)", "42P16", "cannot create temporary relation in non-temporary schema"),
        ("create unlogged table pg_temp.x (a int)", "42P16", _ONLY_TEMPORARY),
        ("create table x (a int) on commit drop", "42P16", "ON COMMIT can only be used on temporary tables"),
        ("create materialized view pg_temp.x as select 1 as a", "42501", _RESTRICTED),
        ("create type pg_temp.x as enum ('a')", "0A000", "a temporary type is not supported"),
        ("create table nosuch.x (a int)", "3F000", 'schema "nosuch" does not exist'),
        ("create table x (a int, a int)", "42701", 'column "a" specified more than once'),
        ("create table x (a int default 'x')", "22P02", 'invalid input syntax for type integer: "x"'),
        ("create table x (a int default true)", "42804", None),
        ("create view w as select 1, 2", "42701", 'column "?column?" specified more than once'),
        ("create view w as select $1", "42P02", "there is no parameter $1"),
        ("update t set a = 1 as of 5", "0A000", "UPDATE AS OF is not supported"),
        ("create view w as select a from t as of 5", "0A000", "CREATE VIEW … AS OF is not supported"),
        ("create table w as select a from t as of 5", "0A000", "CREATE TABLE AS … AS OF is not supported"),
        ("create statistics s on a, b from t", "0A000", "CREATE STATISTICS is not supported"),
        ("select 1 as of true", "42804", None),
        ("select $2", "42P18", "could not determine data type of parameter $1"),
    ],
)
def test_what_is_refused_is_named(sql: str, sqlstate: str, message: str | None, catalog: SmallCatalog) -> None:
    with pytest.raises(SqlError) as caught:
        catalog.plan(sql)
    assert caught.value.sqlstate.value == sqlstate
    assert message is None or caught.value.message == message


@pytest.mark.parametrize(
    ("sql", "types"),
    [
        ("select $1", (TEXT,)),
        ("select $1 + 1", (INT4,)),
        ("select a from t where c > $1 and b = $2", (NUMERIC, TEXT)),
        ("insert into t values ($1, $2, $3)", (INT4, TEXT, NUMERIC)),
        ("update t set a = $2 where b = $1", (TEXT, INT4)),
        ("select $1::int4, $1", (INT4,)),
        ("select case when $1 then 1 end, coalesce($2, 1.5)", None),
        ("select a from t where a in ($1, $2)", (INT4, INT4)),
    ],
)
def test_a_parameter_takes_its_type_from_its_use(sql: str, types: object, catalog: SmallCatalog) -> None:
    found = plan_statement(parse(sql)[0], catalog.context()).parameter_types
    if types is not None:
        assert found == types
    else:
        assert [type_.name.value for type_ in found] == ["bool", "numeric"]


@pytest.mark.parametrize("time", ["5", "'1700000000000'", "'2024-01-01'", "now()", "$1", "mz_now()", "5 + 5"])
def test_as_of_is_a_point_of_the_timeline(time: str, catalog: SmallCatalog) -> None:
    plan = catalog.plan(f"select a from t as of {time}")
    assert isinstance(plan, SelectPlan) and plan.as_of is not None
    assert scalar_type(plan.as_of.time) == MZ_TIMESTAMP


def test_returning_sees_the_new_rows(catalog: SmallCatalog) -> None:
    plan = catalog.plan("update t set a = 2 from s where s.a = t.a returning t.a, s.d as when, b || 'x'")
    assert isinstance(plan, UpdatePlan) and plan.returning is not None
    assert plan.returning.desc.names == ("a", "when", "?column?")
    insert = catalog.plan("insert into t (a) values (1) returning *")
    assert isinstance(insert, InsertPlan) and insert.returning is not None
    assert insert.returning.desc.names == ("a", "b", "c")


def test_copy_knows_its_columns_and_the_defaults_of_the_rest(catalog: SmallCatalog) -> None:
    plan = catalog.plan("copy t (c, a) from stdin with (format csv, header, null 'x')")
    assert isinstance(plan, CopyFromPlan)
    assert plan.columns == (2, 0) and plan.defaults == ((1, Literal(None, TEXT)),)
    assert (plan.options.format, plan.options.header, plan.options.null) == ("csv", "true", "x")


def test_a_plan_prints_as_a_tree(catalog: SmallCatalog) -> None:
    plan = catalog.plan("explain raw plan for select b, count(*) from t where a > 1 group by b order by 2 desc limit 1")
    assert isinstance(plan, ExplainPlan) and isinstance(plan.statement, SelectPlan)
    assert explain(plan.statement.query, str) == (
        "Finish order by #1 desc, limit 1\n"
        "  Reduce by #1 to count_star()\n"
        "    Filter gt_int4_int4(#0, 1)\n"
        "      Read u1"
    )
