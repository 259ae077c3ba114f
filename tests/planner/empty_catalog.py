"""A catalog without anything in it, and statements planned and evaluated against it: enough for constants."""

from __future__ import annotations

from dataclasses import replace

from model.ids.global_id import GlobalId
from model.types.datum import Row
from planner.catalog_view import CatalogView, ItemView, PlanningContext, ViewText
from planner.interpret.context import EvaluationContext
from planner.interpret.evaluate import evaluate_query
from planner.ir.query import Query
from planner.plans.queries import SelectPlan
from planner.rules.keep_decimals import keep_decimals
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse


class EmptyCatalog:
    """One database, the schemas that every database has, no relation."""

    @property
    def version(self) -> int:
        return 1

    def databases(self) -> tuple[str, ...]:
        return ("headwater",)

    def schemas(self, database: str) -> tuple[str, ...]:
        return ("public", "pg_catalog", "information_schema")

    def resolve_item(self, parts: tuple[str, ...], search_path: tuple[str, ...], database: str) -> ItemView | None:
        return None

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
        return None

    def view_text(self, id: GlobalId) -> ViewText | None:
        return None

    def item_by_oid(self, oid: int) -> ItemView | None:
        return None

    def schema_oid(self, database: str, schema: str) -> int | None:
        return None

    def system_type_oid(self, name: str) -> int | None:
        return None


CONTEXT = PlanningContext(EmptyCatalog(), "headwater", ("public",), "headwater")


def plan_select(sql: str) -> Query:
    """The planned query of one SELECT that reads no relation."""
    (statement,) = parse(sql)
    plan = plan_statement(statement, CONTEXT).plan
    assert isinstance(plan, SelectPlan)
    return plan.query


def run_select(sql: str, context: EvaluationContext) -> tuple[Query, list[Row]]:
    """The plan of a SELECT and its rows, with all decimals, as of what reads no table."""
    query = plan_select(sql)
    query = replace(query, relation=keep_decimals(query.relation))
    return query, evaluate_query(query, context)
