"""Random window calls over random rows: the interpreter has PostgreSQL's rows, or its SQLSTATE."""

from __future__ import annotations

import random
from collections import Counter

import psycopg
import pytest

from model.errors import SqlError
from model.text.dispatch import format_datum
from planner.interpret.evaluate import evaluate_query
from planner.plans import SelectPlan
from tests.planner.sql.small_catalog import SmallCatalog

QUERIES = 150
VALUES = (None, 0, 1, 1, 2, 3, 5, 8)
RANKS = ("rank()", "dense_rank()", "percent_rank()", "cume_dist()")
PLACES = (
    *RANKS,
    "row_number()",
    "ntile(3)",
    "ntile(x)",
    "lag(v)",
    "lead(v, 2, -1)",
    "lag(v, x)",
    "first_value(v)",
    "last_value(v)",
    "nth_value(v, 2)",
    "nth_value(v, x)",
)
SUMS = ("sum(v)", "count(*)", "count(v) filter (where x > 1)", "min(v)", "max(x)", "sum(f)", "avg(f)", "bool_or(v > 2)")
EXCLUSIONS = ("", "", " exclude current row", " exclude group", " exclude ties", " exclude no others")
BOUNDS = ("unbounded preceding", "{} preceding", "current row", "{} following", "unbounded following")


def bounds(dice: random.Random, offset: str) -> str:
    first = dice.randrange(4)
    start, end = BOUNDS[first], BOUNDS[dice.randrange(max(first, 1), 5)]
    text = start if first < 3 and dice.random() < 0.2 else f"between {start} and {end}"
    return text.replace("{}", offset) + dice.choice(EXCLUSIONS)


def query(dice: random.Random) -> str:
    """Peers may tie where the call does not tell them apart; the others are in the order of the key `id`."""
    mode = dice.choice(("", "rows", "range", "groups"))
    key = dice.choice(("x", "f", "x desc", "x nulls first", "f desc nulls last"))
    tied = mode in ("range", "groups") and dice.random() < 0.7
    order = key if tied else f"{key}, id" if mode != "range" else dice.choice(("id", "id desc"))
    call = dice.choice(SUMS if tied else (*PLACES, *SUMS))
    offset = dice.choice(("0", "1", "2")) if mode != "range" or "f" not in order else dice.choice(("0.5", "1"))
    frame = f" {mode} {bounds(dice, offset)}" if mode else ""
    partition = dice.choice(("", "partition by v ", "partition by v > 2, x ", "partition by x % 2 "))
    return f"select id, {call} over ({partition}order by {order}{frame}) from w order by id"


@pytest.fixture(scope="module")
def catalog(postgres: psycopg.Connection[tuple[object, ...]]) -> SmallCatalog:
    dice = random.Random(7)
    rows = [(number, dice.choice(VALUES), dice.choice(VALUES), dice.choice(VALUES)) for number in range(24)]
    cells = ", ".join("(" + ", ".join("null" if c is None else str(c) for c in row) + ")" for row in rows)
    statements = ("create table w (id int, v int, x int, f float8)", f"insert into w values {cells}")
    catalog = SmallCatalog()
    for statement in statements:
        catalog.run(statement)
        postgres.execute(statement.replace("create table", "create temp table").encode())
    return catalog


def answer(catalog: SmallCatalog, sql: str) -> Counter[tuple[str | None, ...]] | str:
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


def judged(postgres: psycopg.Connection[tuple[object, ...]], sql: str) -> Counter[tuple[str | None, ...]] | str:
    cursor = psycopg.RawCursor(postgres)
    try:
        rows = cursor.execute(sql.encode()).pgresult
    except psycopg.Error as error:
        return error.sqlstate or ""
    assert rows is not None
    cells = [[rows.get_value(row, column) for column in range(rows.nfields)] for row in range(rows.ntuples)]
    return Counter(tuple(_shown(None if cell is None else cell.decode()) for cell in row) for row in cells)


def test_random_windows_are_postgresqls(
    postgres: psycopg.Connection[tuple[object, ...]], catalog: SmallCatalog
) -> None:
    dice = random.Random(11)
    wrong = []
    for _ in range(QUERIES):
        sql = query(dice)
        ours, theirs = answer(catalog, sql), judged(postgres, sql)
        if ours != theirs:
            wrong.append(f"{sql}\n  ours {ours!s:.300}\n  PostgreSQL's {theirs!s:.300}")
    assert not wrong, "\n".join(wrong)
