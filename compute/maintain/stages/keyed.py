"""Writes queries for steps' inputs: a segment's rows, or their contributions to sums, beside the key and its hash.

A key is stored as a stand-in that is equal where SQL's values are equal, because hashes and bytes may differ for values
that SQL calls equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from compute.arrangement.layout import HASH_COLUMN, ORDER_COLUMN, Layout, key_name
from compute.maintain.segments import SegmentQuery, arrow_form, query_of, row_columns, stored
from compute.maintain.stages.order_codes import order_code
from compute.operators.accumulable import Accumulators, Rare
from compute.operators.context import Context
from compute.operators.linear import settled
from compute.operators.rendered import ERROR_COLUMN, Form, Rendered
from compute.scalars.comparisons import group_key
from compute.scalars.failure import Error
from compute.scalars.layers import Layers
from compute.scalars.numerics import physical
from compute.scalars.spark_sql import Sql, call, conjunction, spark_type, when
from compute.scalars.value import Value, derived
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN
from model.types.scalar_type import NUMERIC, TypeName
from planner.ir.aggregate import Aggregate, SortKey
from planner.ir.relation import Relation
from planner.ir.scalar import Scalar

_SPAN = (28, 0)

Named = list[tuple[str, Sql, pa.DataType]]


@dataclass(frozen=True, slots=True)
class KeyedQuery:
    """A query for columns h, k0…, then c0… or a0…

    `query`: the query.
    `layout`: the layout of the arrangement.
    `key`: the forms of the key's values.
    `rows`: the forms of c0….
    `rares`: float8s kept beside the sums a0….
    """

    query: SegmentQuery
    layout: Layout
    key: tuple[Form, ...]
    rows: tuple[Form, ...] = ()
    rares: tuple[Rare, ...] = ()


def keyed_rows(
    context: Context, segment: Relation, key: tuple[Scalar, ...], *, joined: bool = False, order: SortKey | None = None
) -> KeyedQuery:
    """Writes a query for the segment's rows by a key, and within the key by an order.

    For a join, the key is in the form that collections hold, so that both sides agree, and rows with a NULL key are
    left out.
    """
    input_ = context.rendered(segment)
    layers = Layers()
    keys, parts, errors = _key_columns(context, input_, layers, key, exact=joined)
    rows, row_errors = row_columns(layers, list(input_.values()))
    ordered = [] if order is None else [_order_column(context, input_, layers, order, errors)]
    present = [Sql(f"{sql} IS NOT NULL") for _, sql, _ in parts]
    where = conjunction(present) if joined and present else ""
    columns = [_hash(parts), *parts, *ordered, *rows]
    query = query_of(segment, input_, layers, columns, [*errors, *row_errors], where=where)
    key_types, row_types = (tuple(type_ for _, _, type_ in named) for named in (parts, rows))
    layout = Layout(key_types, row_types, ordered=order is not None)
    return KeyedQuery(query, layout, keys, input_.forms)


def contributions(
    context: Context, segment: Relation, key: tuple[Scalar, ...], aggregates: tuple[Aggregate, ...]
) -> tuple[KeyedQuery, Layers, list[Value]]:
    """Writes a query for the rows' contributions to the sums of their groups, times their diffs.

    Also returns the aggregates as expressions over the sums, with the layers below them.
    """
    input_ = context.rendered(segment)
    layers = Layers()
    accumulators = Accumulators(context.lowering(input_.values(), layers), layers)
    answers = [accumulators.answer(aggregate) for aggregate in aggregates]
    keys, parts, errors = _key_columns(context, input_, layers, key)
    sums: Named = [(name, Sql(f"({sql} * {DIFF_COLUMN})"), pa.int64()) for name, sql in accumulators.contributions]
    rares: Named = [(rare.name, rare.sql, pa.float64()) for rare in accumulators.rares if not rare.late]
    smalls: Named = [(name, sql, pa.int32()) for name, sql in accumulators.smalls]
    columns = [_hash(parts), *parts, *sums, *rares, *smalls]
    query = query_of(segment, input_, layers, columns, [*errors, *accumulators.errors])
    counted = accumulators.late_contributions
    layout = Layout(tuple(type_ for _, _, type_ in parts), (), len(sums) + len(counted))
    query = _folded(query, layout, [name for name, _, _ in sums], [name for name, _, _ in (*rares, *smalls)])
    if smalls:
        query = _counted(query, layout, accumulators.rares, {name: f"({sql} * {DIFF_COLUMN})" for name, sql in counted})
    return KeyedQuery(query, layout, keys, rares=tuple(accumulators.rares)), accumulators.finals, answers


def _folded(query: SegmentQuery, layout: Layout, sums: list[str], others: list[str]) -> SegmentQuery:
    """Adds the folded form of a query of sums: rows of equal key and time, and equal in `others`, are added up."""
    failed = [ERROR_COLUMN] if query.fallible else []
    same = [HASH_COLUMN, *layout.key_names, *others, *failed, TIME_COLUMN]
    added = [f"sum({name}) AS {name}" for name in (*sums, DIFF_COLUMN)]
    folded = f"SELECT {', '.join([*same, *added])} FROM ({query.text}) GROUP BY {', '.join(same)}"
    return replace(query, folded=Sql(folded))


def _counted(query: SegmentQuery, layout: Layout, rares: list[Rare], counted: dict[str, str]) -> SegmentQuery:
    """Counts the small numbers of a query of sums: after the sums of equal rows, if these are added up."""
    columns = [
        *(HASH_COLUMN, *layout.key_names),
        *(f"{counted[name]} AS {name}" if name in counted else name for name in layout.sum_names),
        *(f"{rare.sql} AS {rare.name}" if rare.late else rare.name for rare in rares),
        *((ERROR_COLUMN,) if query.fallible else ()),
        *(TIME_COLUMN, DIFF_COLUMN),
    ]
    fields = [
        *((HASH_COLUMN, pa.int64()), *zip(layout.key_names, layout.key, strict=True)),
        *((name, pa.int64()) for name in layout.sum_names),
        *((rare.name, pa.float64()) for rare in rares),
        *((TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())),
    ]
    text, folded = (Sql(f"SELECT {', '.join(columns)} FROM ({each})") for each in (query.text, query.folded))
    return replace(query, text=text, folded=folded, schema=pa.schema(fields))


def _order_column(
    context: Context, input_: Rendered, layers: Layers, order: SortKey, errors: list[Error | None]
) -> tuple[str, Sql, pa.DataType]:
    """Returns the column of order codes, and adds the error of the order's expression to `errors`."""
    value = layers.once(context.lowering(input_.values(), layers).lower(order.expression))
    errors.append(value.error)
    code = order_code(value, descending=order.descending, nulls_first=order.nulls_first)
    return ORDER_COLUMN, code, pa.int64()


def _key_columns(
    context: Context, input_: Rendered, layers: Layers, key: tuple[Scalar, ...], *, exact: bool = False
) -> tuple[tuple[Form, ...], Named, list[Error | None]]:
    lowering = context.lowering(input_.values(), layers)
    hold = physical if exact else stored
    values = settled(layers, [hold(layers, lowering.lower(scalar)) for scalar in key])
    forms = tuple(Form(value.type, value.decimal) for value in values)
    stand_ins = [layers.once(stand_in(layers.once(value))) for value in values]
    parts = [(key_name(i), value.sql, _key_type(form)) for i, (value, form) in enumerate(zip(stand_ins, forms))]
    return forms, parts, [value.error for value in values]


def stand_in(value: Value) -> Value:
    """Returns the stand-in for a value in a key."""
    match value.type.name:
        case TypeName.FLOAT4 | TypeName.FLOAT8:
            nan, zero = (f"CAST({number} AS {spark_type(value.type)})" for number in ("'NaN'", "0"))
            text = when((f"isnan({value.sql})", nan), (f"{value.sql} = 0", zero), otherwise=value.sql)
            return derived(text, value.type, value)
        case TypeName.INTERVAL:
            return derived(f"CAST({group_key(value.sql, value.type)} AS DECIMAL(28,0))", NUMERIC, value, decimal=_SPAN)
        case _:
            other = group_key(value.sql, value.type)
            return value if other is None else derived(other, value.type, value)


def _key_type(form: Form) -> pa.DataType:
    match form.type.name:
        case TypeName.INTERVAL:
            return pa.decimal128(*_SPAN)
        case TypeName.JSONB:
            return pa.binary()
        case _:
            return arrow_form(form)


def _hash(parts: Named) -> tuple[str, Sql, pa.DataType]:
    return HASH_COLUMN, call("xxhash64", *(sql for _, sql, _ in parts)) if parts else Sql("0L"), pa.int64()
