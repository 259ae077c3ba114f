"""What recursions are driven by: a relation's rows as they are now, taken to the driver and kept as a local table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from compute.operators.context import Context
from compute.operators.linear import negated, signed
from compute.operators.rendered import ERROR_COLUMN, Rendered, scan
from compute.operators.union import multiset, unite
from compute.scalars.failure import decode_error
from compute.spark.collect import table_of
from model.errors import SqlError
from model.sqlstate import Sqlstate

ROUNDS_MAX = 100_000
_COMPARED_MAX = 20_000
"""So many rows are compared here: a Spark job takes longer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """`rows` reads `table`, a view of the session that is called `view`."""

    rows: Rendered
    table: pa.Table
    view: str

    @property
    def error(self) -> SqlError | None:
        """The least of its errors."""
        if ERROR_COLUMN not in self.table.column_names:
            return None
        least = pc.min(self.table.column(ERROR_COLUMN)).as_py()
        return None if least is None else decode_error(least)


def kept(rendered: Rendered, context: Context) -> Kept:
    """Runs the query; what it shares with others is not shared with later rounds."""
    table = table_of(context.spark.sql(context.complete(rendered.sql)))
    view = context.add_view(context.spark.createDataFrame(table))
    text = scan(view, rendered.forms, rendered.carried, rendered.error)
    return Kept(replace(rendered, sql=text), table, view)


def too_many_rounds() -> SqlError:
    return SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, f"a recursive query took more than {ROUNDS_MAX} rounds")


def same_rows(one: Kept, other: Kept, context: Context) -> bool:
    """Whether both hold the same rows, each as often, whatever the order; neither holds errors."""
    if one.table.num_rows != other.table.num_rows:
        return False
    if one.table.num_rows <= _COMPARED_MAX and _as_held(one.table) == _as_held(other.table):
        return True
    more = multiset(unite([signed(one.rows), negated(signed(other.rows))]))
    (row,) = table_of(context.spark.sql(f"SELECT count(1) AS n FROM {more.source}")).to_pylist()
    return bool(row["n"] == 0)


def _as_held(table: pa.Table) -> Counter[str]:
    """Rows that are held alike are the same; others may be too."""
    return Counter(map(repr, table.to_pylist()))
