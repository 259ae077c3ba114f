"""Recomputes an operator over its inputs' whole contents, at each time at which an input changes.

The change is the difference between the new answer and the last. A failing operator answers with a single error row.
The work grows with the contents, not with the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession

from compute.arrangement.arrangement import Arrangement
from compute.arrangement.layout import HASH_COLUMN, Layout
from compute.maintain.change import Change
from compute.maintain.queries import profile_for
from compute.maintain.segments import arrow_form
from compute.operators.context import Context
from compute.operators.linear import settled, with_error
from compute.operators.rendered import ERROR_COLUMN, Form, Rendered, physical_forms, select, select_list
from compute.operators.union import multiset
from compute.render import render
from compute.scalars.failure import encode_error, first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import physical
from compute.scalars.python_function import PythonFunctions
from compute.scalars.spark_sql import Sql
from compute.spark.collect import table_of
from compute.spark.session import Profile
from model.errors.sql_error import SqlError
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from model.time.timestamp import Timestamp
from model.updates.consolidate import consolidate
from planner.ir.properties import relation_desc_of
from planner.ir.relation import Relation

_NUMBERS = count()
_TIMES = [(TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())]


@dataclass(frozen=True, slots=True)
class Recomputation:
    """The operator to recompute, and the forms of the columns of its `inputs` and of its answer (`forms`). The last
    answer is kept in the arrangement called `name`, with the error as a last column."""

    name: str
    operator: Relation
    inputs: tuple[tuple[Form, ...], ...]
    forms: tuple[Form, ...]

    @property
    def kept(self) -> Layout:
        return Layout((), (*map(arrow_form, self.forms), pa.string()))

    @property
    def answer(self) -> pa.Schema:
        """Returns the schema of an answer: c0…, err."""
        fields = [(column_name(i), arrow_form(form)) for i, form in enumerate(self.forms)]
        return pa.schema([*fields, (ERROR_COLUMN, pa.string())])


def recomputation(name: str, operator: Relation, inputs: tuple[tuple[Form, ...], ...]) -> Recomputation:
    return Recomputation(name, operator, inputs, physical_forms(relation_desc_of(operator)))


def recomputed(
    this: Recomputation,
    sessions: Mapping[Profile, SparkSession],
    gather: Callable[[Iterable[pa.Table], pa.Schema], Change],
    arranged: Sequence[Arrangement],
    kept: Arrangement,
    lower: Timestamp,
    *,
    starts: bool,
) -> Iterator[pa.Table]:
    """Yields the change of the answer as tables of c0…, err, time, diff. The tick's changes of the inputs are in
    `arranged`, provisionally; the new answer is put in `kept`."""
    chunks = [chunk.column(TIME_COLUMN) for each in arranged for chunk in each.changes()]
    times = {int(time) for chunk in chunks for time in pc.unique(chunk).to_pylist()} | (
        {int(lower)} if starts else set()
    )
    contents = [gather(_updates(each, lower), pa.schema([*_values(each.layout), *_TIMES])) for each in arranged]
    last = [table.select([*kept.layout.value_names, DIFF_COLUMN]) for table in kept.rows(lower - 1)]
    counted = this.answer.append(pa.field(DIFF_COLUMN, pa.int64()))
    before = pa.concat_tables([table.rename_columns(counted.names) for table in last] or [counted.empty_table()])
    with _Views(sessions[profile_for(sum(each.rows for each in contents))]) as views:
        names = [views.add(each.frame(views.session)) for each in contents]
        for time in sorted(times):
            after = _with_diff(_answer(this, views, names, time), 1)
            change = consolidate(pa.concat_tables([after, _with_diff(before, -1)]))
            before = after
            change = change.add_column(
                change.num_columns - 1, TIME_COLUMN, pa.array([time] * change.num_rows, pa.int64())
            )
            kept.insert(_keyed(change, kept.layout))
            yield change


def _values(layout: Layout) -> list[tuple[str, pa.DataType]]:
    return list(zip(layout.value_names, layout.values))


def _updates(arranged: Arrangement, lower: Timestamp) -> Iterator[pa.Table]:
    """Yields the contents before the tick, as of the time before it, and then the tick's changes."""
    for table in arranged.rows(lower - 1):
        times = pa.array(np.full(table.num_rows, lower - 1))
        yield table.append_column(TIME_COLUMN, times)
    yield from arranged.changes()


def _with_diff(table: pa.Table, sign: int) -> pa.Table:
    """Adds `sign` as the diff of each row, or multiplies the diffs by `sign`."""
    if DIFF_COLUMN not in table.column_names:
        return table.append_column(DIFF_COLUMN, pa.array(np.full(table.num_rows, sign, np.int64)))
    diffs = pc.multiply(table.column(DIFF_COLUMN), sign)
    return table.set_column(table.num_columns - 1, DIFF_COLUMN, diffs)


def _keyed(change: pa.Table, layout: Layout) -> pa.Table:
    hashes = pa.array(np.zeros(change.num_rows, np.int64))
    return change.add_column(0, HASH_COLUMN, hashes).rename_columns(layout.schema.names)


def _answer(this: Recomputation, views: _Views, names: Sequence[str], time: int) -> pa.Table:
    """Returns the operator's rows at a time, or a single row with the least of its errors."""
    try:
        rows = _rows(this, views, names, time)
    except SqlError as error:
        return _failed(this, encode_error(error))
    least = pc.min(rows.column(ERROR_COLUMN)).as_py()
    return rows if least is None else _failed(this, least)


def _failed(this: Recomputation, error: str) -> pa.Table:
    return pa.Table.from_pylist([{ERROR_COLUMN: error}], this.answer)


def _rows(this: Recomputation, views: _Views, names: Sequence[str], time: int) -> pa.Table:
    context = Context(views.session, PythonFunctions(views.session), {}, views.add, render)
    for i, (view, forms) in enumerate(zip(names, this.inputs, strict=True)):
        columns = select_list([column_name(at) for at in range(len(forms))], None, (DIFF_COLUMN,))
        text = Sql(f"SELECT {columns} FROM {view} WHERE {TIME_COLUMN} <= {time}L")
        context.locals[-1 - i] = multiset(Rendered(text, forms, carried=(DIFF_COLUMN,)))
    answer = multiset(render(context, this.operator))
    layers = Layers()
    values = settled(layers, [physical(layers, value) for value in answer.values()])
    shown = select(answer, layers, values, first_error(answer.error, *(value.error for value in values)))
    table = table_of(views.session.sql(context.complete(with_error(shown, True).sql)))
    return table.select(this.answer.names).cast(this.answer)


class _Views:
    """The temporary views of one recomputation."""

    def __init__(self, session: SparkSession) -> None:
        self.session = session
        self._names: list[str] = []

    def __enter__(self) -> _Views:
        return self

    def __exit__(self, *_: object) -> None:
        for name in self._names:
            self.session.catalog.dropTempView(name)

    def add(self, frame: DataFrame) -> str:
        name = f"recomputed_{next(_NUMBERS)}"
        frame.createOrReplaceTempView(name)
        self._names.append(name)
        return name
