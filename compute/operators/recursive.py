"""Recursive (WITH RECURSIVE): `base`, then `step` over the rows last added, until a round adds none.

The rounds are driven from here, a Spark job or two each; the rows of a round are kept as a local table.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.linear import in_forms, with_error
from compute.operators.rendered import Rendered, physical_forms, select_list
from compute.operators.union import multiset, unite
from compute.scalars.comparisons import holds
from compute.scalars.spark_sql import Sql
from model.errors import NotSupported, SqlError
from model.physical import column_name
from model.scalar_type import TypeName
from model.sqlstate import Sqlstate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Recursive

_ROUNDS_MAX = 100_000


def render_recursive(node: Recursive, context: Context) -> Rendered:
    """54001 after 100,000 rounds. A round with an error is the last: the error is the answer."""
    forms = physical_forms(relation_desc_of(node))
    base = in_forms(multiset(context.rendered(node.base)), forms)
    step_error = True
    last = _materialized(_unrepeated(with_error(base, step_error), node, []), context)
    rounds = [last]
    for _ in range(_ROUNDS_MAX):
        if not _live(last, context):
            return unite(rounds)
        context.locals[node.local_id] = last
        step = with_error(in_forms(multiset(context.rendered(node.step)), forms), step_error)
        last = _materialized(_unrepeated(step, node, rounds), context)
        rounds.append(last)
    raise SqlError(Sqlstate.STATEMENT_TOO_COMPLEX, f"a recursive query took more than {_ROUNDS_MAX} rounds")


def _unrepeated(rendered: Rendered, node: Recursive, before: list[Rendered]) -> Rendered:
    """For UNION: without repeats, and without the rows of rounds before."""
    if not node.distinct:
        return rendered
    for form in rendered.forms:
        if any(holds(form.type, name) for name in (TypeName.INTERVAL, TypeName.JSONB)):
            raise NotSupported(f"WITH RECURSIVE … UNION of a column of type {form.type}")
    distinct = replace(rendered, sql=Sql(f"SELECT DISTINCT * FROM {rendered.source}"))
    if not before:
        return distinct
    columns = [column_name(i) for i in range(rendered.arity)]
    same = " AND ".join(f"a.{name} <=> b.{name}" for name in columns) or "true"
    text = f"SELECT a.* FROM {distinct.source} AS a LEFT ANTI JOIN {unite(before).source} AS b ON {same}"
    return replace(rendered, sql=Sql(text))


def _materialized(rendered: Rendered, context: Context) -> Rendered:
    columns = [
        f"CAST({column_name(i)} AS TIMESTAMP_NTZ)" if form.type.name is TypeName.TIMESTAMP else column_name(i)
        for i, form in enumerate(rendered.forms)
    ]
    listed = select_list(columns, rendered.error)
    table = context.spark.sql(context.complete(rendered.sql)).toArrow()
    view = context.add_view(context.spark.createDataFrame(table))
    return replace(rendered, sql=Sql(f"SELECT {listed} FROM {view}"))


def _live(rendered: Rendered, context: Context) -> bool:
    """Whether another round can add rows: there are some, and none is an error."""
    text = f"SELECT count(1), count(err) FROM {rendered.source}"
    rows, errors = context.spark.sql(text).toArrow().to_pylist()[0].values()
    return bool(rows > 0 and errors == 0)
