"""The driver of recursions: computes a relation's present rows, and keeps them as a local table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from compute.operators.context import Asked, Context
from compute.operators.linear import negated, signed
from compute.operators.rendered import ERROR_COLUMN, Rendered, scan
from compute.operators.top_k import limit_clause
from compute.operators.union import multiset, unite
from compute.scalars.failure import decode_error
from compute.scalars.spark_sql import Sql
from compute.spark.collect import table_of
from compute.spark.frames import frame_of
from compute.spark.schema import spark_fields
from model.errors.sql_error import SqlError
from model.errors.sqlstate import Sqlstate
from planner.ir.relation import Relation

ROUNDS_MAX = 100_000
_COMPARED_MAX = 20_000
"""So many rows are compared here: a Spark job takes longer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Rows computed by a query. `rows` reads `table` through the session's view `view`."""

    rows: Rendered
    table: pa.Table
    view: str

    @property
    def error(self) -> SqlError | None:
        """Returns the least error among the rows."""
        if ERROR_COLUMN not in self.table.column_names:
            return None
        least = pc.min(self.table.column(ERROR_COLUMN)).as_py()
        return None if least is None else decode_error(least)


def kept(rendered: Rendered, context: Context) -> Kept:
    """Runs the query; its common table expressions are not shared with later rounds."""
    return held(rendered, table_of(context.spark.sql(context.complete(rendered.sql))), context)


def held(rendered: Rendered, table: pa.Table, context: Context) -> Kept:
    """Keeps a table with the columns of `rendered`."""
    view = context.add_view(frame_of(context.spark, table, spark_fields(table.schema)))
    text = scan(view, rendered.forms, rendered.carried, rendered.error)
    return Kept(replace(rendered, sql=text, shown=frozenset()), table, view)


def has_asked_rows(asked: Asked, context: Context) -> bool:
    """Returns whether a recursion has yielded as many rows as are asked for, or an error. `context` holds the rows that
    its rounds have yielded so far."""
    locals_, shared = dict(context.locals), len(context.shared)
    for local_id, value in asked.lets:
        if local_id not in context.locals:
            context.locals[local_id] = context.rendered(value)
    wanted, failed = (asked.rows, False) if isinstance(asked.rows, int) else _count(asked.rows, None, context)
    if not failed:
        found, failed = _count(asked.relation, wanted, context)
    context.locals = locals_
    del context.shared[shared:]
    return failed or found >= wanted


def _count(relation: Relation, most: int | None, context: Context) -> tuple[int, bool]:
    """Returns the number of a relation's rows, up to `most`, and whether one of them is an error."""
    rendered = multiset(context.rendered(relation))
    error = "CAST(NULL AS INT)" if rendered.error is None else rendered.error.sql
    rows = f"SELECT {error} AS e FROM {rendered.source}{limit_clause(most, 0)}"
    text = Sql(f"SELECT count(1) AS n, count(e) AS e FROM ({rows})")
    (row,) = table_of(context.spark.sql(context.complete(text))).to_pylist()
    return row["n"], row["e"] > 0


def too_many_rounds() -> SqlError:
    return SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, f"a recursive query took more than {ROUNDS_MAX} rounds")


def same_rows(one: Kept, other: Kept, context: Context) -> bool:
    """Returns whether both hold the same rows with the same multiplicities, in any order; neither holds errors."""
    if one.table.num_rows != other.table.num_rows:
        return False
    if one.table.num_rows <= _COMPARED_MAX and _as_held(one.table) == _as_held(other.table):
        return True
    more = multiset(unite([signed(one.rows), negated(signed(other.rows))]))
    (row,) = table_of(context.spark.sql(f"SELECT count(1) AS n FROM {more.source}")).to_pylist()
    return bool(row["n"] == 0)


def _as_held(table: pa.Table) -> Counter[str]:
    """Counts rows by their Python text. Rows with the same text are equal; equal rows may differ in their texts."""
    return Counter(map(repr, table.to_pylist()))
