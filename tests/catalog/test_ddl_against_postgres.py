"""DDL plans through translate and apply, beside the same statements in PostgreSQL: errors, details, hints, notices."""

from __future__ import annotations

from dataclasses import dataclass, field

import psycopg
import pytest

from catalog.changes.apply import apply
from catalog.durable.rows import initial_state
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession
from catalog.nouns.notices import Notice
from catalog.state.allocate import IdAllocator
from catalog.state.catalog_state import CatalogState
from catalog.translation.statements import DdlPlan, translate
from model.errors.sql_error import SqlError
from model.types.relation_desc import RelationDesc, relation_desc
from model.types.scalar_type import INT4
from planner.catalog_view import QualifiedName
from planner.ir.query import Query
from planner.ir.relation import Constant, Finishing
from planner.plans.objects import CreateSchemaPlan, DropPlan, MovePlan, ObjectKind, RenamePlan
from planner.plans.tables import ColumnDefinition, CreateTablePlan
from planner.plans.views import CreateViewPlan

Connection = psycopg.Connection[tuple[object, ...]]
Said = tuple[str, str, str | None, str | None]
"""SQLSTATE, message, detail, hint."""

_COLUMNS = relation_desc(("a", INT4), ("b", INT4))
TABLE, VIEW, SCHEMA, DATABASE = ObjectKind.TABLE, ObjectKind.VIEW, ObjectKind.SCHEMA, ObjectKind.DATABASE


def create_table(name: str, schema: str = "public", if_not_exists: bool = False) -> tuple[str, DdlPlan]:
    columns = tuple(ColumnDefinition(column, INT4, True, None) for column in _COLUMNS.names)
    words = "CREATE TABLE IF NOT EXISTS" if if_not_exists else "CREATE TABLE"
    sql = f'{words} "{schema}"."{name}" (a int, b int)'
    return sql, CreateTablePlan(QualifiedName("headwater", schema, name), columns, if_not_exists, None, sql)


def create_view(
    name: str, on: str, or_replace: bool = False, schema: str = "public", columns: tuple[str, ...] = ("a", "b")
) -> tuple[str, tuple[str, CreateViewPlan]]:
    """The plan still lacks what it depends on: the item named `on`."""
    query = Query(Constant((), _COLUMNS), Finishing((), None, None, ()), RelationDesc(_COLUMNS.columns[: len(columns)]))
    words = "CREATE OR REPLACE VIEW" if or_replace else "CREATE VIEW"
    sql = f'{words} "{schema}"."{name}" ({", ".join(columns)}) AS SELECT {", ".join("ab"[: len(columns)])} FROM {on}'
    plan = CreateViewPlan(QualifiedName("headwater", schema, name), query, columns, frozenset(), or_replace, False, sql)
    return sql, (on, plan)


def create_schema(name: str, if_not_exists: bool = False) -> tuple[str, DdlPlan]:
    words = "CREATE SCHEMA IF NOT EXISTS" if if_not_exists else "CREATE SCHEMA"
    return f'{words} "{name}"', CreateSchemaPlan("headwater", name, if_not_exists)


def drop(kind: ObjectKind, *names: str, if_exists: bool = False, cascade: bool = False) -> tuple[str, DdlPlan]:
    sql = f"DROP {kind.value} {'IF EXISTS ' if if_exists else ''}{', '.join(names)}{' CASCADE' if cascade else ''}"
    return sql, DropPlan(kind, tuple(tuple(name.split(".")) for name in names), if_exists, cascade)


def rename(
    kind: ObjectKind, name: str, new_name: str, column: str | None = None, if_exists: bool = False
) -> tuple[str, DdlPlan]:
    middle = "" if column is None else f"COLUMN {column} "
    sql = f'ALTER {kind.value} {"IF EXISTS " if if_exists else ""}{name} RENAME {middle}TO "{new_name}"'
    return sql, RenamePlan(kind, tuple(name.split(".")), new_name, if_exists, column)


def move(kind: ObjectKind, name: str, schema: str, if_exists: bool = False) -> tuple[str, DdlPlan]:
    sql = f'ALTER {kind.value} {"IF EXISTS " if if_exists else ""}{name} SET SCHEMA "{schema}"'
    return sql, MovePlan(kind, tuple(name.split(".")), schema, if_exists)


@dataclass(slots=True)
class _Ours:
    state: CatalogState = field(default_factory=initial_state)
    allocator: IdAllocator = field(default_factory=lambda: IdAllocator(initial_state()))

    def run(self, plan: DdlPlan | tuple[str, CreateViewPlan]) -> list[Said]:
        session = DdlSession("headwater", ("public",), "headwater", "pg_temp_1")
        try:
            if isinstance(plan, tuple):
                plan = self._bound(*plan)
            translation = translate(plan, self.state, session, self.allocator, 0)
            self.state = apply(self.state, translation.changes)
        except SqlError as error:
            return [(error.sqlstate.value, error.message, error.detail, error.hint)]
        return [_said(notice) for notice in translation.notices]

    def _bound(self, on: str, plan: CreateViewPlan) -> CreateViewPlan:
        found = StateCatalogView(self.state).resolve_item(tuple(on.split(".")), ("public",), "headwater")
        assert found is not None
        return CreateViewPlan(
            plan.name,
            plan.query,
            plan.columns,
            frozenset((found.id,)),
            plan.or_replace,
            plan.if_not_exists,
            plan.create_sql,
        )


def _said(notice: Notice) -> Said:
    return notice.sqlstate.value, notice.message, notice.detail, None


def _theirs(connection: Connection, sql: str) -> list[Said]:
    notices: list[Said] = []

    def listen(diagnostic: psycopg.errors.Diagnostic) -> None:
        assert diagnostic.sqlstate is not None and diagnostic.message_primary is not None
        notices.append(
            (diagnostic.sqlstate, diagnostic.message_primary, diagnostic.message_detail, diagnostic.message_hint)
        )

    connection.add_notice_handler(listen)
    try:
        connection.execute(sql)
    except psycopg.Error as error:
        diagnostic = error.diag
        assert diagnostic.sqlstate is not None and diagnostic.message_primary is not None
        return [(diagnostic.sqlstate, diagnostic.message_primary, diagnostic.message_detail, diagnostic.message_hint)]
    finally:
        connection.remove_notice_handler(listen)
    return notices


_SCRIPT = [
    create_table("t"),
    create_table("t"),
    create_table("t", if_not_exists=True),
    create_table("t", schema="nowhere"),
    create_table("t", schema="pg_catalog"),
    create_schema("s"),
    create_schema("s"),
    create_schema("s", if_not_exists=True),
    create_schema("pg_mine"),
    create_schema("public"),
    create_table("T x", schema="s"),
    create_table("order", schema="s"),
    create_view("v", "t"),
    create_view("w", "v"),
    create_view("v2", "t", schema="s"),
    create_view("x", "w", schema="s"),
    create_view("t", "v", or_replace=True),
    create_view("v", "t", or_replace=True),
    create_view("v", "t", or_replace=True, columns=("a",)),
    create_view("v", "t", or_replace=True, columns=("a", "c")),
    drop(TABLE, "t"),
    drop(TABLE, "v"),
    drop(VIEW, "t"),
    drop(VIEW, "v"),
    drop(TABLE, "none"),
    drop(VIEW, "none"),
    drop(TABLE, "none", if_exists=True),
    drop(VIEW, "none", "w2", if_exists=True),
    drop(TABLE, "nowhere.t"),
    drop(TABLE, "nowhere.t", if_exists=True),
    drop(TABLE, "pg_catalog.pg_class"),
    drop(TABLE, "pg_views"),
    drop(VIEW, "pg_class"),
    drop(SCHEMA, "s"),
    drop(SCHEMA, "none"),
    drop(SCHEMA, "none", if_exists=True),
    drop(SCHEMA, "pg_catalog"),
    drop(DATABASE, "none"),
    drop(DATABASE, "none", if_exists=True),
    drop(DATABASE, "headwater"),
    rename(TABLE, "none", "u"),
    rename(TABLE, "none", "u", if_exists=True),
    rename(TABLE, "s.none", "u", if_exists=True),
    rename(TABLE, "s.none", "u"),
    rename(TABLE, "nowhere.none", "u"),
    rename(TABLE, "nowhere.none", "u", if_exists=True),
    rename(TABLE, "t", "v"),
    rename(TABLE, "t", "t"),
    rename(TABLE, "t", "b", column="a"),
    rename(TABLE, "t", "z", column="none"),
    rename(VIEW, "t", "u"),
    rename(TABLE, "pg_class", "u"),
    rename(SCHEMA, "none", "u"),
    rename(SCHEMA, "s", "public"),
    rename(SCHEMA, "s", "pg_s"),
    rename(DATABASE, "none", "u"),
    rename(DATABASE, "headwater", "u"),
    rename(TABLE, "t", "t2"),
    rename(TABLE, "v", "v3"),
    rename(TABLE, "t2", "a2", column="a"),
    drop(TABLE, "t2"),
    create_schema("other"),
    create_table("moving"),
    create_table("moving", schema="other"),
    create_view("of_moving", "moving"),
    move(TABLE, "none", "other"),
    move(TABLE, "none", "other", if_exists=True),
    move(TABLE, "nowhere.none", "other"),
    move(TABLE, "nowhere.none", "other", if_exists=True),
    move(TABLE, "moving", "none"),
    move(TABLE, "moving", "other"),
    move(TABLE, "moving", "public"),
    move(VIEW, "moving", "other"),
    move(VIEW, "none", "other", if_exists=True),
    move(TABLE, "pg_class", "other"),
    rename(TABLE, "moving", "moved"),
    move(TABLE, "moved", "other"),
    move(TABLE, "moved", "other"),
    move(TABLE, "of_moving", "other"),
    drop(TABLE, "other.moved"),
    move(VIEW, "other.of_moving", "public"),
    move(VIEW, "of_moving", "s"),
    drop(SCHEMA, "other", cascade=True),
    create_table("many"),
    create_table("more"),
    create_view("on_many", "many"),
    create_view("on_on_many", "on_many"),
    create_view("on_more", "more"),
    drop(TABLE, "many", "more"),
    drop(TABLE, "many", "more", cascade=True),
    drop(VIEW, "v3", "w"),
    drop(VIEW, "v3", "w", "s.x"),
    drop(SCHEMA, "s", cascade=True),
    drop(TABLE, "t2", cascade=True),
    drop(SCHEMA, "s", cascade=True, if_exists=True),
]


@pytest.fixture(scope="module")
def conversation(postgres: Connection) -> dict[str, tuple[list[Said], list[Said]]]:
    """Each statement of the script, with what Headwater and PostgreSQL say to it."""
    ours = _Ours()
    try:
        return {f"{i} {sql}": (ours.run(plan), _theirs(postgres, sql)) for i, (sql, plan) in enumerate(_SCRIPT)}
    finally:
        postgres.execute("DROP TABLE IF EXISTS t, t2, many, more CASCADE")
        postgres.execute("DROP SCHEMA IF EXISTS s, other CASCADE")


@pytest.mark.parametrize("key", [f"{i} {sql}" for i, (sql, _) in enumerate(_SCRIPT)])
def test_ddl_says_what_postgres_says(conversation: dict[str, tuple[list[Said], list[Said]]], key: str) -> None:
    ours, theirs = conversation[key]
    assert ours == theirs
