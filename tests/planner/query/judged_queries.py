"""Queries over one small random table, answered by the interpreter and by PostgreSQL, in comparable form."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import psycopg

from model.errors.sql_error import SqlError
from model.text.dispatch import format_datum
from planner.interpret.evaluate import evaluate_query
from planner.plans.queries import SelectPlan
from tests.planner.small_catalog import SmallCatalog

VALUES = (None, 0, 1, 1, 2, 3, 5, 8)
Answer = Counter[tuple[str | None, ...]] | str
"""The rows' texts, or a SQLSTATE."""
Judge = psycopg.Connection[tuple[object, ...]]


def random_table(postgres: Judge, name: str, seed: int) -> SmallCatalog:
    """A table of id, v, x (int) and f (float8), here and as a temporary table of the judge."""
    dice = random.Random(seed)
    rows = [(number, dice.choice(VALUES), dice.choice(VALUES), dice.choice(VALUES)) for number in range(24)]
    cells = ", ".join("(" + ", ".join("null" if c is None else str(c) for c in row) + ")" for row in rows)
    catalog = SmallCatalog()
    for statement in (f"create table {name} (id int, v int, x int, f float8)", f"insert into {name} values {cells}"):
        catalog.run(statement)
        postgres.execute(statement.replace("create table", "create temp table").encode())
    return catalog


def answer(catalog: SmallCatalog, sql: str) -> Answer:
    """The interpreter's."""
    try:
        plan = catalog.plan(sql)
        assert isinstance(plan, SelectPlan)
        rows = evaluate_query(plan.query, catalog.evaluation())
    except SqlError as error:
        return error.sqlstate.value
    types = plan.query.desc.types
    texts = [[None if c is None else format_datum(c, t) for c, t in zip(row, types, strict=True)] for row in rows]
    return Counter(tuple(_shown(text) for text in row) for row in texts)


def _shown(text: str | None) -> str | None:
    """A numeric keeps no trailing zeros here."""
    return text.rstrip("0").rstrip(".") if text and "." in text else text


def judged(postgres: Judge, sql: str) -> Answer:
    """PostgreSQL's."""
    cursor = psycopg.RawCursor(postgres)
    try:
        rows = cursor.execute(sql.encode()).pgresult
    except psycopg.Error as error:
        return error.sqlstate or ""
    assert rows is not None
    cells = [[rows.get_value(row, column) for column in range(rows.nfields)] for row in range(rows.ntuples)]
    return Counter(tuple(_shown(None if cell is None else cell.decode()) for cell in row) for row in cells)


def differences(postgres: Judge, catalog: SmallCatalog, queries: Iterable[str]) -> str:
    """The queries that are answered differently, with both answers; empty for none."""
    wrong = []
    for sql in queries:
        ours, theirs = answer(catalog, sql), judged(postgres, sql)
        if ours != theirs:
            wrong.append(f"{sql}\n  ours {ours!s:.300}\n  PostgreSQL's {theirs!s:.300}")
    return "\n".join(wrong)
