"""Writes docs/compatibility.md by asking the planner about each statement: python -m tools.generate_statement_docs.

Every form is planned over the same few objects, and the catalog translates the plans of DDL; nothing is carried out. So
the page tells what is refused by name or meaning, not what fails for the rows that a table holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import get_args

from catalog.changes.apply import apply
from catalog.lookup.planner_view import StateCatalogView
from catalog.lookup.targets import DdlSession
from catalog.translation.statements import DdlPlan, translate
from model.errors.sql_error import SqlError
from planner.catalog_view import PlanningContext
from planner.plans.alter_table import AlterTablePlan
from planner.plans.plan import NoOpPlan, Plan
from planner.statements.plan_statement import plan_statement
from planner.syntax.parse import parse
from tests.catalog.miniature import Miniature
from tools.statement_forms import OBJECTS, Form, own_forms, postgresql_forms

TARGET = Path("docs/compatibility.md")
_HEADER = """# Statements

Every command of PostgreSQL 16's manual, then every statement of Headwater's own, and the planner's verdict: **taken**,
**taken without effect** (the client gets the command's tag, and nothing changes) or **refused**, with the SQLSTATE
and the message that a client gets. A command has several lines where its forms differ. [Differences](differences.md)
tells where Headwater takes a statement and answers differently from PostgreSQL; [functions](functions.md) lists
functions and casts.

This page is generated from the code: run `python -m tools.generate_statement_docs` after a change.

In the examples `t` and `u` are tables, `v` is a view, `mv` a materialized view, `i` an index, `s` a sequence, `e` an
enum, `r` a row type, `d` a domain, `g` a source, `sk` a sink, `con` a connection and `sec` a secret.
"""
_COLUMNS = ("| statement | verdict | error or notice |", "|---|---|---|")
_VERDICTS = ("taken", "taken without effect", "refused")


def statement_page() -> str:
    """Returns the page as it has to be."""
    found = [answer(form)[0] for form in postgresql_forms()]
    counts = ", ".join(f"{found.count(verdict)} are {verdict}" for verdict in _VERDICTS)
    summary = f"Of {len(found)} forms of PostgreSQL's commands, {counts}."
    theirs = _section("PostgreSQL's commands", postgresql_forms())
    own = _section("Headwater's own statements", own_forms())
    return "\n".join([_HEADER, summary, "", *theirs, *own]).rstrip() + "\n"


def _section(title: str, forms: Iterable[Form]) -> Iterator[str]:
    yield from (f"## {title}", "", *_COLUMNS)
    for command, of_command in groupby(forms, key=attrgetter("command")):
        for number, form in enumerate(of_command):
            verdict, reason = answer(form)
            shown = f"**{command}** " if number == 0 and not form.text.startswith(command) else ""
            yield f"| {shown}`{form.text}` | {verdict} | {reason.replace('|', chr(92) + '|')} |"
    yield ""


@cache
def answer(form: Form) -> tuple[str, str]:
    """Returns what becomes of a statement (taken, taken without effect, refused) and why."""
    try:
        plan = planned(form.text)
    except SqlError as error:
        return "refused", f"{error.sqlstate.value}: {error.message}"
    match plan:
        case NoOpPlan():
            return "taken without effect", plan.notice or ""
        case _:
            return "taken", ""


def planned(text: str) -> Plan:
    """Returns a statement's plan; SqlError as a client would get it."""
    world = _world()
    state = world.state
    (statement,) = parse(text)
    context = PlanningContext(StateCatalogView(state), "headwater", ("public",), "headwater")
    plan = plan_statement(statement, context).plan
    session = DdlSession("headwater", ("public",), "headwater", "pg_temp_1")
    for each in plan.actions if isinstance(plan, AlterTablePlan) else (plan,):
        if isinstance(each, get_args(DdlPlan)):
            state = apply(state, translate(each, state, session, world.allocator, 0).changes)
    return plan


@cache
def _world() -> Miniature:
    world = Miniature()
    world.execute(OBJECTS)
    return world


def main() -> None:
    """Writes the page."""
    TARGET.write_text(statement_page())


if __name__ == "__main__":
    main()
