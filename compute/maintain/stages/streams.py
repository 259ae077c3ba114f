"""Streams of steps as relations that segments read: views of the steps' output, and the expressions over them.

A view holds the kernel's output: c0… of a join or a threshold; the key and the sums of an accumulation, from which
segments compute the aggregates; the rows of each version of a group, over which the operator's one-shot query runs with
the version added to its group. The answers of a version are asserted when the version begins and retracted at its end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from compute.arrangement.layout import COUNT_COLUMN
from compute.kernels.versions import BEGIN_COLUMN, END_COLUMN
from compute.maintain.segments import SegmentQuery, arrow_form
from compute.maintain.stages.keyed import KeyedQuery
from compute.maintain.steps.group import GROUP_ROWS
from compute.operators.context import Context
from compute.operators.linear import settled, with_error
from compute.operators.rendered import (
    ERROR_COLUMN,
    TIMED,
    VERSIONED,
    Form,
    Rendered,
    scan,
    select,
    select_list,
)
from compute.operators.union import unite
from compute.render import render
from compute.scalars.failure import Error, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value, column
from model.physical.columns import DIFF_COLUMN, TIME_COLUMN, column_name
from planner.ir.relation import Reduce, Relation

_TIMES = [(TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())]


@dataclass(frozen=True, slots=True)
class Answers:
    """An operator's answers for the versions of groups, computed once for several readers: `query` fills `view`."""

    query: SegmentQuery
    view: str
    schema: pa.Schema


@dataclass(frozen=True, slots=True)
class EmptyGroup:
    """The answer of an operator without a key over no rows: `query` computes the answer, and `view` receives it."""

    query: Sql
    view: str
    schema: pa.Schema


@dataclass(frozen=True, slots=True)
class Stream:
    """A step's stream.

    `rows`: the relation that segments read.
    `view`: the view of the kernel's output.
    `schema`: the columns of the view.
    `empty`: the answer over no rows, for an operator without a key.
    `answers`: the answers made once for several readers.
    """

    rows: Rendered
    view: str
    schema: pa.Schema
    empty: EmptyGroup | None = None
    answers: Answers | None = None

    @property
    def made(self) -> tuple[str, ...]:
        """Returns the views that receive the output of the step itself."""
        return (self.view,) if self.empty is None else (self.view, self.empty.view)

    @property
    def read(self) -> tuple[str, ...]:
        """Returns the views that segments read."""
        return self.made if self.answers is None else (self.answers.view,)

    @property
    def schemas(self) -> dict[str, pa.Schema]:
        """Returns the schemas of all views."""
        further = [each for each in (self.empty, self.answers) if each is not None]
        return {self.view: self.schema} | {each.view: each.schema for each in further}


def of_rows(view: str, forms: tuple[Form, ...]) -> Stream:
    """Returns a stream of updates with columns c0…, time, diff."""
    rows = Rendered(scan(view, forms, TIMED), forms, carried=TIMED)
    return Stream(rows, view, pa.schema([*_fields(forms), *_TIMES]))


def of_answers(view: str, forms: tuple[Form, ...]) -> Stream:
    """Returns a stream of updates with columns c0…, err, time, diff: rows of an answer, or an error."""
    error = Error(Sql(ERROR_COLUMN), True)
    columns = select_list([column_name(i) for i in range(len(forms))], error, TIMED)
    schema = pa.schema([*_fields(forms), (ERROR_COLUMN, pa.string()), *_TIMES])
    return Stream(Rendered(Sql(f"SELECT {columns} FROM {view}"), forms, error, TIMED), view, schema)


def of_sums(view: str, keyed: KeyedQuery, finals: Layers, answers: list[Value]) -> Stream:
    """Returns the stream of an aggregation: the key, and the aggregates computed from the view's sums n, a0… and arrays
    of rare floats r0….

    A group whose aggregate can't be computed gives an error in place of a row, until the aggregate can be computed
    again.
    """
    layout = keyed.layout
    keys = [column(name, form.type, form.decimal) for name, form in zip(layout.key_names, keyed.key, strict=True)]
    answers = settled(finals, answers)
    source = Rendered(Sql(f"SELECT * FROM {view}"), (), carried=TIMED)
    rows = select(source, finals, [*keys, *answers], first_error(*(answer.error for answer in answers)))
    sums = [(name, pa.int64()) for name in (COUNT_COLUMN, *layout.sum_names)]
    rares = [(rare.name, pa.list_(pa.float64())) for rare in keyed.rares]
    return Stream(rows, view, pa.schema([*zip(layout.key_names, layout.key), *sums, *rares, *_TIMES]))


def of_versions(context: Context, view: str, forms: tuple[Form, ...], operator: Relation, *, shared: bool) -> Stream:
    """Returns the answers of `operator` for each version of a group, with columns c0…, t, u. A single reader
    computes them in its own query."""
    columns = [column_name(i) for i in range(len(forms))]
    versions = Rendered(Sql(f"SELECT {select_list(columns, None, VERSIONED)} FROM {view}"), forms, carried=VERSIONED)
    rows = _lasting(_answered(context, operator, versions))
    empty = None
    if isinstance(operator, Reduce) and not operator.key:
        empty = _empty_group(context, f"{view}_empty", forms, operator)
        rows = unite([rows, of_answers(empty.view, rows.forms).rows])
    schema = pa.schema([*_fields(forms), (BEGIN_COLUMN, pa.int64()), (END_COLUMN, pa.int64())])
    stream = Stream(rows, view, schema, empty)
    return _answered_once(stream, f"{view}_answers") if shared else stream


def _answered_once(stream: Stream, view: str) -> Stream:
    answers = of_answers(view, stream.rows.forms)
    rows = with_error(stream.rows, True)
    columns = ", ".join(answers.schema.names)
    query = SegmentQuery(Sql(f"SELECT {columns} FROM {rows.source}"), answers.schema, False, frozenset(), False)
    return replace(stream, rows=answers.rows, answers=Answers(query, view, answers.schema))


def _empty_group(context: Context, view: str, forms: tuple[Form, ...], operator: Relation) -> EmptyGroup:
    nothing = select_list([f"CAST(NULL AS {form.spark_type})" for form in forms], None)
    none = Rendered(Sql(f"SELECT {nothing} FROM VALUES (0) AS t(q) WHERE false"), forms)
    answer = with_error(_answered(context, operator, none), True)
    return EmptyGroup(answer.sql, view, of_answers(view, answer.forms).schema)


def _answered(context: Context, operator: Relation, rows: Rendered) -> Rendered:
    return render(replace(context, render=render, locals={GROUP_ROWS: rows}), operator)


def _lasting(answers: Rendered) -> Rendered:
    """Turns answers with a begin t and an end u into updates: an assertion at t, and a retraction at u."""
    columns = select_list([column_name(i) for i in range(answers.arity)], answers.error)
    began = f"CASE WHEN {BEGIN_COLUMN} IS NOT NULL THEN named_struct('time', {BEGIN_COLUMN}, 'diff', 1L) END"
    ended = f"CASE WHEN {END_COLUMN} IS NOT NULL THEN named_struct('time', {END_COLUMN}, 'diff', -1L) END"
    updates = f"explode(filter(array({began}, {ended}), x -> x IS NOT NULL))"
    exploded = f"SELECT {columns}, {updates} AS item FROM {answers.source}"
    text = f"SELECT {columns}, item.time AS {TIME_COLUMN}, item.diff AS {DIFF_COLUMN} FROM ({exploded})"
    return replace(answers, sql=Sql(text), carried=TIMED)


def _fields(forms: tuple[Form, ...]) -> list[tuple[str, pa.DataType]]:
    return [(column_name(i), arrow_form(form)) for i, form in enumerate(forms)]
