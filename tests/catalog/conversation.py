"""Statements of DDL, and what Headwater's planner and catalog say to them beside what PostgreSQL says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import psycopg

from catalog.changes.apply import apply
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession
from catalog.nouns.notices import Notice
from catalog.translation.statements import DdlPlan, translate
from model.errors.sql_error import SqlError
from planner.catalog_view import PlanningContext
from planner.plans.alter_table import AlterTablePlan
from planner.plans.plan import NoOpPlan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse
from tests.catalog.miniature import Miniature

Connection = psycopg.Connection[tuple[object, ...]]
Said = tuple[str, str, str | None, str | None]
"""SQLSTATE, message, detail, hint."""
Conversation = dict[str, tuple[object, object]]
"""Of each statement or query what Headwater answers, and PostgreSQL."""


class Ours(Miniature):
    """Says what PostgreSQL would say."""

    __slots__ = ()

    def say(self, sql: str) -> list[Said]:
        try:
            (statement,) = parse(sql)
            context = PlanningContext(StateCatalogView(self.state), "headwater", ("public",), "headwater")
            plan = plan_statement(statement, context).plan
            session = DdlSession("headwater", ("public",), "headwater", "pg_temp_1")
            state = self.state
            notices: list[Notice] = []
            for each in plan.actions if isinstance(plan, AlterTablePlan) else (plan,):
                if isinstance(each, get_args(DdlPlan)):
                    translation = translate(each, state, session, self.allocator, 0)
                    state = apply(state, translation.changes)
                    notices += translation.notices
            self.state = state
            if isinstance(plan, NoOpPlan) and plan.notice is not None:
                return [("00000", plan.notice, None, None)]
        except SqlError as error:
            return [(error.sqlstate.value, error.message, error.detail, error.hint)]
        return [_said(notice) for notice in notices]


def _said(notice: Notice) -> Said:
    return notice.sqlstate.value, notice.message, notice.detail, None


def theirs_say(connection: Connection, sql: str) -> list[Said]:
    notices: list[Said] = []

    def listen(diagnostic: psycopg.errors.Diagnostic) -> None:
        notices.append(_diagnosed(diagnostic))

    connection.add_notice_handler(listen)
    try:
        connection.execute(sql.encode())
    except psycopg.Error as error:
        return [_diagnosed(error.diag)]
    finally:
        connection.remove_notice_handler(listen)
    return notices


def _diagnosed(diagnostic: psycopg.errors.Diagnostic) -> Said:
    assert diagnostic.sqlstate is not None and diagnostic.message_primary is not None
    return diagnostic.sqlstate, diagnostic.message_primary, diagnostic.message_detail, diagnostic.message_hint


def our_rows(ours: Ours, query: str) -> list[tuple[str | None, ...]]:
    return list(ours.execute(query)[0].rows)


def their_rows(connection: Connection, query: str) -> list[tuple[str | None, ...]]:
    result = connection.pgconn.exec_(query.encode())
    assert not result.error_message, result.error_message
    return [
        tuple(None if (v := result.get_value(row, i)) is None else v.decode() for i in range(result.nfields))
        for row in range(result.ntuples)
    ]


def conversation_of(
    postgres: Connection, script: Sequence[str], shown: Sequence[str], shown_after: int, leftovers: str
) -> Conversation:
    """Each statement of the script, with what Headwater and PostgreSQL say to it, and what `shown` gives behind the
    statement at `shown_after`. PostgreSQL drops the tables `leftovers` in the end."""
    ours = Ours()
    found: Conversation = {}
    try:
        for index, sql in enumerate(script):
            found[sql if sql not in found else f"{sql} again"] = ours.say(sql), theirs_say(postgres, sql)
            if index == shown_after:
                found.update((query, (our_rows(ours, query), their_rows(postgres, query))) for query in shown)
    finally:
        postgres.execute(f"DROP TABLE IF EXISTS {leftovers} CASCADE")
    return found
