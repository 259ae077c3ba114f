"""Writes segments as Spark SQL over updates. Segments are linear, so the change of the result follows from the change:

    op(A + dA) = op(A) + op(dA)

A query's rows have its schema's columns by name, and `err` (text) if the query is fallible: rows with an `err` are
errors, which have left the dataflow; their other columns mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from compute.operators.constant import render_constant
from compute.operators.context import Context
from compute.operators.linear import settled, signed, stored_decimals
from compute.operators.rendered import ERROR_COLUMN, TIMED, Form, Rendered, physical_forms, scan
from compute.render import render
from compute.scalars.failure import Error, as_text, first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import physical
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value
from model.ids.global_id import GlobalId
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, arrow_type, column_name
from model.time.timestamp import Timestamp
from model.types.scalar_type import TypeName
from planner.ir.relation import (
    Constant,
    Filter,
    FlatMap,
    Get,
    LocalGet,
    Map,
    Negate,
    Project,
    Relation,
    Union,
)
from planner.ir.visit import walk_relation

Source = GlobalId | int
"""What a segment reads: an import, or the stream of a step."""


@dataclass(frozen=True, slots=True)
class SegmentQuery:
    """A segment as a query.

    `text`: the query.
    `schema`: the columns of the answer.
    `fallible`: whether the answer has a column `err`.
    `reads`: the imports and streams read.
    `constants`: whether the segment has rows at as_of without any change.
    `multiplies`: whether table functions make any number of rows from one.
    `folded`: the same query with sums added up, where the result then has fewer rows of many.
    """

    text: Sql
    schema: pa.Schema
    fallible: bool
    reads: frozenset[Source]
    constants: bool
    multiplies: bool = False
    folded: Sql | None = None


def render_change(as_of: Timestamp | None) -> Callable[[Context, Relation], Rendered]:
    """Returns the arms of segments; the rows of constants are a change at `as_of`, and none when that is None."""

    def arm(context: Context, relation: Relation) -> Rendered:
        match relation:
            case Constant():
                return _constant(relation, context, as_of)
            case Get():
                forms = physical_forms(relation.desc)
                decimals, shown = stored_decimals(relation, context)
                rows = scan(context.inputs[relation.id], forms, TIMED, decimals=decimals)
                return Rendered(rows, forms, carried=TIMED, shown=shown)
            case LocalGet() | Project() | Map() | FlatMap() | Filter() | Negate() | Union():
                return render(context, relation)
            case _:
                raise AssertionError(f"{type(relation).__name__} in a segment")

    return arm


def _constant(node: Constant, context: Context, as_of: Timestamp | None) -> Rendered:
    rows = signed(render_constant(node if as_of is not None else Constant((), node.desc), context))
    columns = [column_name(i) for i in range(rows.arity)] or ["z"]
    text = f"SELECT {', '.join(columns)}, {as_of or 0}L AS {TIME_COLUMN}, {DIFF_COLUMN} FROM {rows.source}"
    return Rendered(Sql(text), rows.forms, carried=TIMED)


def sources_of(*segments: Relation) -> frozenset[Source]:
    """Returns the imports and streams that segments read."""
    nodes = [node for segment in segments for node in walk_relation(segment)]
    imports = {node.id for node in nodes if isinstance(node, Get)}
    return frozenset[Source](imports | {node.local_id for node in nodes if isinstance(node, LocalGet)})


def has_constants(*segments: Relation) -> bool:
    return any(isinstance(node, Constant) for segment in segments for node in walk_relation(segment))


def stored(layers: Layers, value: Value) -> Value:
    """Returns the value as steps keep it: like collections, except that numerics keep the form they were computed
    in."""
    return value if value.type.name is TypeName.NUMERIC else physical(layers, value)


def arrow_form(form: Form) -> pa.DataType:
    """Returns the Arrow type of a stored column."""
    return pa.decimal128(*form.decimal) if form.decimal is not None else arrow_type(form.type)


def query_of(
    segment: Relation,
    input_: Rendered,
    layers: Layers,
    columns: list[tuple[str, Sql, pa.DataType]],
    errors: list[Error | None],
    where: str = "",
) -> SegmentQuery:
    """Writes a SELECT of named columns and the first error over the input and its layers. `where` never removes
    errors."""
    error = first_error(input_.error, *errors)
    listed = [f"{sql} AS {name}" for name, sql, _ in columns]
    if error is not None:
        listed.append(f"{as_text(error).sql} AS {ERROR_COLUMN}")
        where = where and f"({error.sql} IS NOT NULL OR {where})"
    if where:
        below, condition = layers.filtered(input_.source, Sql(where))
        source = f"{below} WHERE {condition}"
    else:
        source = layers.over(input_.source)
    text = f"SELECT {', '.join([*listed, *TIMED])} FROM {source}"
    fields = [*((name, type_) for name, _, type_ in columns), (TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())]
    multiplies = any(isinstance(node, FlatMap) for node in walk_relation(segment))
    reads, constants = sources_of(segment), has_constants(segment)
    return SegmentQuery(Sql(text), pa.schema(fields), error is not None, reads, constants, multiplies)


def row_columns(layers: Layers, values: list[Value]) -> tuple[list[tuple[str, Sql, pa.DataType]], list[Error | None]]:
    """Returns `c0…` as steps keep them, and their errors."""
    kept = settled(layers, [stored(layers, value) for value in values])
    named = [(column_name(i), value.sql, arrow_form(Form(value.type, value.decimal))) for i, value in enumerate(kept)]
    return named, [value.error for value in kept]
