"""A catalog of tables in memory, whose statements the interpreter executes: the planner with nothing around it."""

from __future__ import annotations

import datetime

from model.ids.global_id import GlobalId
from model.text.context import TextContext, output_style
from model.types.datum import Datum, Row
from model.types.relation_desc import ColumnDesc, RelationDesc
from planner.catalog_view import CatalogView, ItemKind, ItemView, PlanningContext, QualifiedName, ViewText
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query, evaluate_relation
from planner.ir.scalar import SessionName
from planner.plans.changes import DeletePlan, InsertPlan, UpdatePlan
from planner.plans.plan import Plan
from planner.plans.queries import SelectPlan
from planner.plans.tables import CreateTablePlan
from planner.plans.views import CreateViewPlan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse

_NOW = datetime.datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=datetime.UTC)
SESSION: dict[SessionName, Datum] = {
    SessionName.NOW: _NOW,
    SessionName.STATEMENT_TIME: _NOW,
    SessionName.CLOCK_TIME: _NOW,
    SessionName.MZ_NOW: 1_700_000_000_000,
    SessionName.CURRENT_USER: "headwater",
    SessionName.SESSION_USER: "headwater",
    SessionName.CURRENT_DATABASE: "headwater",
    SessionName.CURRENT_SCHEMA: "public",
    SessionName.CURRENT_SCHEMAS: ("public",),
    SessionName.CURRENT_SCHEMAS_IMPLICIT: ("pg_catalog", "public"),
    SessionName.BACKEND_PID: 1,
    SessionName.TIME_ZONE: "UTC",
    SessionName.OUTPUT_STYLE: output_style(TextContext()),
}


class SmallCatalog:
    """Implements CatalogView over one database with the schemas `public`, `other` and `pg_catalog`."""

    def __init__(self) -> None:
        self.version = 1
        self.items: list[ItemView] = []
        self.rows: dict[GlobalId, list[Row]] = {}

    def databases(self) -> tuple[str, ...]:
        return ("headwater",)

    def schemas(self, database: str) -> tuple[str, ...]:
        return ("public", "other", "pg_catalog")

    def resolve_item(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        schemas = parts[-2:-1] or ("pg_catalog", *search_path)
        for schema in schemas:
            for item in self.items:
                if (item.name.schema, item.name.name) == (schema, parts[-1]):
                    return item
        return None

    def id_of(self, name: str) -> GlobalId:
        return next(item.id for item in self.items if item.name.name == name)

    def resolve_type(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return None

    def cluster_oid(self, name: str) -> int | None:
        return 16385 if name == "default" else None

    def resolve_access(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return None

    def resolve_functions(
        self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str
    ) -> tuple[ItemView, ...]:
        return ()

    def within_function(self, id: GlobalId) -> CatalogView:
        raise AssertionError("there are no functions here")

    def item(self, id: GlobalId) -> ItemView | None:
        return next((item for item in self.items if item.id == id), None)

    def view_text(self, id: GlobalId) -> ViewText | None:
        return None

    def item_by_oid(self, oid: int) -> ItemView | None:
        return next((item for item in self.items if item.oid == oid), None)

    def schema_oid(self, database: str, schema: str) -> int | None:
        return 2200 if schema in self.schemas(database) else None

    def system_type_oid(self, name: str) -> int | None:
        return None

    def context(self) -> PlanningContext:
        return PlanningContext(self, "headwater", ("public",), "headwater")

    def evaluation(self) -> EvaluationContext:
        return EvaluationContext(TextContext(now=_NOW), SESSION, None, lambda id: self.rows[id])

    def plan(self, sql: str) -> Plan:
        """The plan of one statement."""
        (statement,) = parse(sql)
        return plan_statement(statement, self.context()).plan

    def run(self, sql: str) -> list[Row]:
        """Executes a statement; the rows that a query returns."""
        plan = self.plan(sql)
        match plan:
            case SelectPlan():
                return evaluate_query(plan.query, self.evaluation())
            case CreateTablePlan():
                columns = tuple(ColumnDesc(c.name, c.type, c.nullable) for c in plan.columns)
                defaults = tuple(c.default for c in plan.columns)
                self.add(plan.name, ItemKind.TABLE, RelationDesc(columns), defaults)
            case CreateViewPlan():
                self.add(plan.name, ItemKind.VIEW, plan.query.desc, ())
            case InsertPlan():
                self.rows[plan.target].extend(evaluate_query(plan.source, self.evaluation()))
            case UpdatePlan():
                changed = evaluate_relation(plan.selection, self.evaluation())
                width = len(changed[0]) // 2 if changed else 0
                for row in changed:
                    self.rows[plan.target].remove(row[:width])
                self.rows[plan.target].extend(row[width:] for row in changed)
            case DeletePlan():
                for row in evaluate_relation(plan.selection, self.evaluation()):
                    self.rows[plan.target].remove(row)
            case _:
                raise AssertionError(f"the small catalog does not execute {type(plan).__name__}")
        return []

    def add(
        self, name: QualifiedName, kind: ItemKind, desc: RelationDesc, defaults: tuple[str | None, ...] = ()
    ) -> None:
        """An item without rows."""
        number = len(self.items) + 1
        self.items.append(ItemView(GlobalId.user(number), 20_000 + number, name, kind, desc, defaults))
        self.rows[GlobalId.user(number)] = []
