"""LetRecursive (WITH MUTUALLY RECURSIVE): rounds over whole relations, until one changes nothing.

The rounds are driven from here: each binding of each is a Spark job, and another one where the driver can't see that
nothing has changed.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.constant import render_constant
from compute.operators.context import Context
from compute.operators.linear import in_forms, with_error
from compute.operators.rendered import ERROR_COLUMN, Rendered, error_column, physical_forms, select_list
from compute.operators.rounds import ROUNDS_MAX, Kept, kept, same_rows, too_many_rounds
from compute.operators.union import multiset
from compute.scalars.failure import Error, encode_error
from compute.scalars.spark_sql import Sql, string_literal
from model.errors.sql_error import SqlError
from model.physical.columns import column_name
from model.types.relation_desc import RelationDesc
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Constant, LetRecursive, RecursiveBinding


def render_let_recursive(node: LetRecursive, context: Context) -> Rendered:
    """Renders the body over the rows of the last round. An error in any round is the answer."""
    failure = _rounds(node, context)
    return context.rendered(node.body) if failure is None else _failing(relation_desc_of(node), failure)


def _rounds(node: LetRecursive, context: Context) -> SqlError | None:
    limit = node.limit
    now: dict[int, Kept] = {}
    for binding in node.bindings:
        context.locals[binding.local_id] = render_constant(Constant((), binding.desc), context)
    for number in range(1, ROUNDS_MAX + 1):
        changed = False
        for binding in node.bindings:
            before, after = now.get(binding.local_id), _value(binding, context)
            if after.error is not None:
                return after.error
            if not after.table.num_rows if before is None else same_rows(before, after, context):
                context.spark.catalog.dropTempView(after.view)
                continue
            changed = True
            now[binding.local_id] = after
            context.locals[binding.local_id] = after.rows
            if before is not None:
                context.spark.catalog.dropTempView(before.view)
        if not changed:
            return None
        if limit is not None and number == limit.rounds:
            return limit.exceeded() if limit.fails else None
    return too_many_rounds()


def _value(binding: RecursiveBinding, context: Context) -> Kept:
    """Computes a binding's rows; the error column is dropped when no row is an error."""
    shared = len(context.shared)
    rows = in_forms(multiset(context.rendered(binding.value)), physical_forms(binding.desc))
    found = kept(rows if rows.error is None else with_error(rows, is_text=True), context)
    del context.shared[shared:]
    if found.error is not None or rows.error is None:
        return found
    columns = select_list([column_name(i) for i in range(rows.arity)], None)
    text = Sql(f"SELECT {columns} FROM {found.rows.source}")
    return replace(
        found,
        rows=replace(rows, sql=text, error=None, shown=frozenset()),
        table=found.table.drop_columns([ERROR_COLUMN]),
    )


def _failing(desc: RelationDesc, failure: SqlError) -> Rendered:
    """Renders a single row, the error."""
    values = [f"CAST(NULL AS {form.spark_type})" for form in physical_forms(desc)]
    error = Error(string_literal(encode_error(failure)), is_text=True)
    return Rendered(Sql(f"SELECT {select_list(values, error)}"), physical_forms(desc), error_column(error))
