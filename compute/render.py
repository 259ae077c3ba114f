"""A one-shot dataflow: a plan over snapshots of its inputs as one Spark query, and the meaning of its rows.

The query is analysed by `render_peek`, and runs when its rows are taken. No expression in the query raises: a failing
row carries its error in a last column `err`, and `raise_for` raises the statement's SqlError (the least of a batch).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import assert_never

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from compute.operators.asked_rows import asked_rows
from compute.operators.constant import render_constant
from compute.operators.context import Context
from compute.operators.flat_map import render_flat_map
from compute.operators.join import render_join
from compute.operators.let import render_let
from compute.operators.let_recursive import render_let_recursive
from compute.operators.linear import (
    render_filter,
    render_get,
    render_local_get,
    render_map,
    render_negate,
    render_project,
    settled,
)
from compute.operators.order import sort_item, whole_row
from compute.operators.recursive import render_recursive
from compute.operators.reduce import render_reduce
from compute.operators.rendered import ERROR_COLUMN, Rendered, select
from compute.operators.top_k import bound, limit_clause, ranked, render_top_k
from compute.operators.union import multiset, render_threshold, render_union
from compute.operators.window import render_window
from compute.protocol.measures import OperatorMeasure
from compute.scalars.failure import decode_error, first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of, hangs_on_values, physical, written
from compute.scalars.python_function import PythonFunctions, may_call_python
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value
from compute.spark.prepared import PreparedQuery, prepare_once
from model.ids.global_id import GlobalId
from planner.functions.numbers.shown_scales import asks_decimals, reads_decimals
from planner.ir.relation import (
    Constant,
    Filter,
    Finishing,
    FlatMap,
    Get,
    Join,
    Let,
    LetRecursive,
    LocalGet,
    Map,
    Negate,
    Project,
    Recursive,
    Reduce,
    Relation,
    Threshold,
    TopK,
    Union,
    Window,
)
from planner.ir.size import UNFOLDED_MAX, too_large, unfolded_size, worth_keeping
from planner.ir.visit import walk_relation

_NUMBERS = count()
_UNFOLDED_MAX = 300
"""Nodes up to which planning what is shared again costs less than jobs that keep it."""
_KEPT_MIN = 50


def raise_least(batch: pa.RecordBatch | pa.Table) -> None:
    """Raises the least SqlError of a batch whose last column is `err`, if any."""
    column = batch.column(batch.num_columns - 1)
    if column.null_count < len(column):
        raise decode_error(pc.min(column).as_py())


@dataclass(frozen=True, slots=True)
class PreparedPeek:
    """A prepared query whose rows equal those of a RenderedPeek's DataFrame; `names` are the views of the inputs."""

    query: PreparedQuery
    names: Mapping[GlobalId, str]
    fallible: bool

    def run(self, tables: Mapping[GlobalId, pa.Table], scratch: Path) -> Iterator[pa.RecordBatch]:
        """Runs the query like PreparedQuery.run."""
        return self.query.run(self._named(tables), scratch)

    def traced(
        self, tables: Mapping[GlobalId, pa.Table], scratch: Path
    ) -> tuple[list[pa.RecordBatch], tuple[OperatorMeasure, ...]]:
        """Runs the query like PreparedQuery.traced."""
        return self.query.traced(self._named(tables), scratch)

    def _named(self, tables: Mapping[GlobalId, pa.Table]) -> dict[str, pa.Table]:
        return {self.names[id_]: table for id_, table in tables.items() if table.num_rows}

    def raise_for(self, batch: pa.RecordBatch) -> None:
        """Raises like RenderedPeek.raise_for."""
        if self.fallible:
            raise_least(batch)


@dataclass(frozen=True, slots=True)
class RenderedPeek:
    """A query for a peek.

    `dataframe`: the finishing's columns c0 … in their physical types (one column `z` without any), in its order, then
        `err` if `fallible`.
    `sql`: the query's text.
    """

    dataframe: DataFrame
    fallible: bool
    sql: str

    def raise_for(self, batch: pa.RecordBatch | pa.Table) -> None:
        """Raises the least SqlError of a batch's rows; nothing when all of them are rows of the answer."""
        if self.fallible:
            raise_least(batch)

    def rows_of(self, batch: pa.RecordBatch | pa.Table) -> pa.RecordBatch | pa.Table:
        """Returns the batch without `err`; raises as `raise_for` does."""
        self.raise_for(batch)
        return batch.select(list(range(batch.num_columns - 1))) if self.fallible else batch


def render_peek(
    spark: SparkSession, relation: Relation, finishing: Finishing, inputs: Mapping[GlobalId, DataFrame]
) -> RenderedPeek:
    """Renders a peek over `inputs`, which are multisets: columns c0 … in physical types, a row as often as it counts.
    An input with a column `err` fails where `err` is not NULL.

    Raises SqlError for faults known without running (a negative LIMIT), and for plans that can't be lowered (0A000).
    """
    with _views(spark) as add_view, _functions(spark) as python:
        names = {id_: add_view(frame) for id_, frame in inputs.items()}
        fallible = frozenset(id_ for id_, frame in inputs.items() if ERROR_COLUMN in frame.columns)
        text, fails = _rendered(spark, python, relation, finishing, names, fallible, add_view)
        return RenderedPeek(spark.sql(text), fails, text)


def prepare_peek(
    spark: SparkSession, relation: Relation, finishing: Finishing, schemas: Mapping[GlobalId, pa.Schema]
) -> PreparedPeek | None:
    """Plans a peek for any rows of inputs with the schemas; None for a query that needs a job."""
    with _views(spark) as add_view, _functions(spark) as python:
        names = {id_: f"view_{next(_NUMBERS)}" for id_ in schemas}
        fallible = frozenset(id_ for id_, schema in schemas.items() if ERROR_COLUMN in schema.names)
        text, fails = _rendered(spark, python, relation, finishing, names, fallible, add_view)
        if may_call_python(text):
            # Python's workers are for tasks of jobs; it would be planned for nothing.
            return None
        query = prepare_once(spark, text, {names[id_]: schema for id_, schema in schemas.items()})
        return None if query is None else PreparedPeek(query, names, fails)


@contextmanager
def _views(spark: SparkSession) -> Iterator[Callable[[DataFrame], str]]:
    """Makes views of DataFrames for as long as a query is planned."""
    views: list[str] = []

    def add_view(frame: DataFrame) -> str:
        name = f"view_{next(_NUMBERS)}"
        frame.createOrReplaceTempView(name)
        views.append(name)
        return name

    try:
        yield add_view
    finally:
        for view in views:
            spark.catalog.dropTempView(view)


@contextmanager
def _functions(spark: SparkSession) -> Iterator[PythonFunctions]:
    """Provides the UDFs of a query for as long as the query is planned."""
    python = PythonFunctions(spark, passing=True)
    try:
        yield python
    finally:
        python.forget()


def _rendered(
    spark: SparkSession,
    python: PythonFunctions,
    relation: Relation,
    finishing: Finishing,
    names: dict[GlobalId, str],
    fallible: frozenset[GlobalId],
    add_view: Callable[[DataFrame], str],
) -> tuple[Sql, bool]:
    """Returns the query's text, and whether it has a column `err`."""
    kept = _kept(relation)
    # Conditions and what is stored may ask for decimals as well as who sees the rows.
    shown = finishing.shown or asks_decimals(relation) or reads_decimals(relation)
    context = Context(spark, python, names, add_view, render, fallible=fallible, kept=kept, shown=shown)
    rendered = _finished(context, relation, finishing)
    return context.complete(rendered.sql), rendered.error is not None


def _kept(relation: Relation) -> frozenset[int]:
    """Returns the Lets to compute once: none in a plan that is small when unfolded. Raises 54001 for a plan that is too
    large."""
    if unfolded_size(relation) <= _UNFOLDED_MAX:
        return frozenset()
    if sum(1 for _ in walk_relation(relation)) > UNFOLDED_MAX:
        raise too_large()
    return worth_keeping(relation, _KEPT_MIN)


def _finished(context: Context, relation: Relation, finishing: Finishing) -> Rendered:
    limit, offset = bound(finishing.limit, "LIMIT"), bound(finishing.offset, "OFFSET") or 0
    context.asked.update(asked_rows(relation, finishing))
    rendered = multiset(render(context, relation))
    bounded = limit is not None or offset > 0
    layers = Layers()
    lowering = context.lowering(rendered.values(), layers)
    keys = settled(layers, [lowering.lower(key.expression) for key in finishing.order])
    if rendered.error is not None and bounded:
        # A limit must not cut errors off.
        rendered = ranked(rendered, context, [], finishing.order, limit, offset)
        bounded, limit, offset = False, None, 0
    values = rendered.values()
    outputs = settled(layers, [_output(layers, values[index], finishing.shown) for index in finishing.project])
    error = first_error(rendered.error, *(v.error for v in (*keys, *outputs)))
    items = [sort_item(key, spec.descending, spec.nulls_first) for key, spec in zip(keys, finishing.order, strict=True)]
    if bounded and items:
        items += whole_row(rendered.forms, rendered.shown)
    # The order sees columns that the projection drops: it is applied below it.
    if not items and not bounded:
        return select(rendered, layers, outputs, error)
    below = Sql(f"SELECT * FROM {layers.over(rendered.source)}")
    if error is not None and items:
        items = [f"{error.sql} ASC NULLS LAST", *items]
    if items:
        below = Sql(f"{below} ORDER BY {', '.join(items)}")
    if bounded:
        below = Sql(below + limit_clause(limit, offset))
    return select(rendered, Layers(), outputs, error, None, Sql(f"({below})"))


def _output(layers: Layers, value: Value, shown: bool) -> Value:
    """Returns a column of the answer; where somebody sees it, a numeric whose decimals hang on its value is text."""
    held = physical(layers, value)
    decimals = decimals_of(value)
    return written(layers, held, decimals) if shown and decimals is not None and hangs_on_values(value) else held


def render(context: Context, relation: Relation) -> Rendered:
    """Renders a relation, one arm a node."""
    match relation:
        case Constant():
            return render_constant(relation, context)
        case Get():
            return render_get(relation, context)
        case LocalGet():
            return render_local_get(relation, context)
        case Let():
            return render_let(relation, context)
        case Recursive():
            return render_recursive(relation, context)
        case LetRecursive():
            return render_let_recursive(relation, context)
        case Project():
            return render_project(relation, context)
        case Map():
            return render_map(relation, context)
        case FlatMap():
            return render_flat_map(relation, context)
        case Filter():
            return render_filter(relation, context)
        case Join():
            return render_join(relation, context)
        case Reduce():
            return render_reduce(relation, context)
        case TopK():
            return render_top_k(relation, context)
        case Window():
            return render_window(relation, context)
        case Negate():
            return render_negate(relation, context)
        case Threshold():
            return render_threshold(relation, context)
        case Union():
            return render_union(relation, context)
        case _:
            assert_never(relation)
