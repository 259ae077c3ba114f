"""TopK and the finishing: in each group the rows after `offset` up to `limit`, in a total order.

Error rows are always kept: they are the statement's answer.
"""

from __future__ import annotations

from compute.operators.context import Context
from compute.operators.linear import settled
from compute.operators.order import sort_item, whole_row
from compute.operators.rendered import Rendered, error_column, select_list
from compute.operators.union import multiset
from compute.scalars.comparisons import group_key
from compute.scalars.failure import first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql
from model.physical.columns import column_name
from model.types.scalar_type import ScalarType
from planner.interpret.context import EvaluationContext
from planner.interpret.flows import interpretation
from planner.interpret.relations import row_count
from planner.ir.aggregate import SortKey
from planner.ir.relation import TopK
from planner.ir.scalar import Scalar

_ROWS_MAX = 2**31 - 1


def bound(scalar: Scalar | None, clause: str) -> int | None:
    """Returns the number that a LIMIT or OFFSET says; None for NULL, or none. Raises 2201W, 2201X when negative."""
    execution = interpretation(EvaluationContext())
    number: int | None = row_count(scalar, clause, execution)((), ())
    return number


def limit_clause(limit: int | None, offset: int) -> str:
    """Returns LIMIT and OFFSET, whose sum Spark holds in 32 bits; no result has more rows."""
    skipped = min(offset, _ROWS_MAX)
    words = "" if limit is None or limit + skipped > _ROWS_MAX else f" LIMIT {limit}"
    return words + (f" OFFSET {skipped}" if skipped else "")


def render_top_k(node: TopK, context: Context) -> Rendered:
    input_ = multiset(context.rendered(node.input))
    limit, offset = bound(node.limit, "LIMIT"), bound(node.offset, "OFFSET") or 0
    group = group_columns(input_, node.group)
    return ranked(input_, context, group, node.order, limit, offset)


def group_columns(input_: Rendered, group: tuple[int, ...]) -> list[str]:
    """Returns expressions that tell groups apart: columns, or expressions equal where the columns are equal."""
    return [_group_of(column_name(index), input_.forms[index].type) for index in group]


def _group_of(name: str, type_: ScalarType) -> str:
    stand_in = group_key(name, type_)
    return name if stand_in is None else str(stand_in)


def ranked(
    input_: Rendered, context: Context, group: list[str], order: tuple[SortKey, ...], limit: int | None, offset: int
) -> Rendered:
    """Returns the rows of each group from `offset` on, `limit` at most, in the order of `order`. Rows of different
    versions, as `input_.carried` tells them apart, are in different groups. Several groups, and rows with errors, are
    cut by row numbers; a single group without errors by Spark's own sort and limit."""
    if limit is None and not offset:
        return input_
    layers = Layers()
    lowering = context.lowering(input_.values(), layers)
    keys = settled(layers, [lowering.lower(key.expression) for key in order])
    error = first_error(input_.error, *(key.error for key in keys))
    items = [sort_item(key, spec.descending, spec.nulls_first) for key, spec in zip(keys, order, strict=True)]
    items += whole_row(input_.forms, input_.shown) or ["1"]
    source = layers.over(input_.source)
    columns = [column_name(i) for i in range(input_.arity)]
    listed = select_list(columns, error, input_.carried) + input_.companions
    group = [*group, *input_.carried]
    if not group and error is None:
        ordered = f"SELECT {listed} FROM {source} ORDER BY {', '.join(items)}"
        return Rendered(Sql(ordered + limit_clause(limit, offset)), input_.forms, shown=input_.shown)
    partition = f"PARTITION BY {', '.join(group)} " if group else ""
    failed = "" if error is None else f"{error.sql} ASC NULLS LAST, "
    number = f"row_number() OVER ({partition}ORDER BY {failed}{', '.join(items)}) AS place"
    condition = f"place > {offset}" + ("" if limit is None else f" AND place <= {limit + offset}")
    if error is not None:
        condition = f"(err IS NOT NULL OR ({condition}))"
        error = error_column(error)
    outer = select_list(columns, error, input_.carried) + input_.companions
    text = f"SELECT {outer} FROM (SELECT {listed}, {number} FROM {source}) WHERE {condition}"
    return Rendered(Sql(text), input_.forms, error, input_.carried, shown=input_.shown)
