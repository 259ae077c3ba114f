"""What steps make, as relations that segments read: the views of their output, and what is still to be computed of it.

A view has what the kernel gives: c0… of a join and a threshold; the key and the sums of an accumulation, of which the
aggregates are made here; the rows of each version of a group, over which the operator's own one-shot query runs with
the version in its group, and is asserted when the version begins and retracted when it ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from compute.arrangement.layout import COUNT_COLUMN
from compute.kernels.versions import BEGIN_COLUMN, END_COLUMN
from compute.maintain.keyed import KeyedQuery
from compute.maintain.plan import GROUP_ROWS
from compute.maintain.segments import arrow_form
from compute.operators.context import Context
from compute.operators.linear import settled
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
from compute.scalars.failure import Error, as_text, first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value, column
from model.physical import DIFF_COLUMN, TIME_COLUMN, column_name
from planner.ir.relation import Reduce, Relation

_TIMES = [(TIME_COLUMN, pa.int64()), (DIFF_COLUMN, pa.int64())]


@dataclass(frozen=True, slots=True)
class Stream:
    """`rows` as segments read them, and what their view has.

    `empty_answer` asks what a group without rows answers, where it does; such answers come in the view `empty`.
    """

    rows: Rendered
    schema: pa.Schema
    empty_answer: Sql | None = None
    empty: pa.Schema | None = None


def of_rows(view: str, forms: tuple[Form, ...]) -> Stream:
    """Updates of c0…"""
    return Stream(Rendered(scan(view, forms, TIMED), forms, carried=TIMED), pa.schema([*_fields(forms), *_TIMES]))


def of_sums(view: str, keyed: KeyedQuery, finals: Layers, answers: list[Value]) -> Stream:
    """The key, and aggregates of n, a0… and arrays of rare floats r0…; what can't be answered is an error meanwhile."""
    layout = keyed.layout
    keys = [column(name, form.type, form.decimal) for name, form in zip(layout.key_names, keyed.key, strict=True)]
    answers = settled(finals, answers)
    source = Rendered(Sql(f"SELECT * FROM {view}"), (), carried=TIMED)
    rows = select(source, finals, [*keys, *answers], first_error(*(answer.error for answer in answers)))
    sums = [(name, pa.int64()) for name in (COUNT_COLUMN, *layout.sum_names)]
    rares = [(rare.name, pa.list_(pa.float64())) for rare in keyed.rares]
    return Stream(rows, pa.schema([*zip(layout.key_names, layout.key), *sums, *rares, *_TIMES]))


def of_versions(context: Context, view: str, empty_view: str, forms: tuple[Form, ...], operator: Relation) -> Stream:
    """The answers of `operator` for each version of a group, of c0…, t, u."""
    columns = [column_name(i) for i in range(len(forms))]
    versions = Rendered(Sql(f"SELECT {select_list(columns, None, VERSIONED)} FROM {view}"), forms, carried=VERSIONED)
    rows = _lasting(_answered(context, operator, versions))
    schema = pa.schema([*_fields(forms), (BEGIN_COLUMN, pa.int64()), (END_COLUMN, pa.int64())])
    if not (isinstance(operator, Reduce) and not operator.key):
        return Stream(rows, schema)
    nothing = select_list([f"CAST(NULL AS {form.spark_type})" for form in forms], None)
    answer = _answered(context, operator, Rendered(Sql(f"SELECT {nothing} FROM VALUES (0) AS t(q) WHERE false"), forms))
    error = as_text(answer.error) if answer.error is not None else Error(Sql("CAST(NULL AS STRING)"), True)
    names = [column_name(i) for i in range(answer.arity)]
    asked = Sql(f"SELECT {select_list(names, error)} FROM {answer.source}")
    empty = of_answers(empty_view, answer.forms)
    return Stream(unite([rows, empty.rows]), schema, asked, empty.schema)


def of_answers(view: str, forms: tuple[Form, ...]) -> Stream:
    """Updates of c0…, or of an error."""
    error = Error(Sql(ERROR_COLUMN), True)
    columns = select_list([column_name(i) for i in range(len(forms))], error, TIMED)
    schema = pa.schema([*_fields(forms), (ERROR_COLUMN, pa.string()), *_TIMES])
    return Stream(Rendered(Sql(f"SELECT {columns} FROM {view}"), forms, error, TIMED), schema)


def _answered(context: Context, operator: Relation, rows: Rendered) -> Rendered:
    return render(replace(context, render=render, locals={GROUP_ROWS: rows}), operator)


def _lasting(answers: Rendered) -> Rendered:
    """Each answer from t until u."""
    columns = select_list([column_name(i) for i in range(answers.arity)], answers.error)
    began = f"CASE WHEN {BEGIN_COLUMN} IS NOT NULL THEN named_struct('time', {BEGIN_COLUMN}, 'diff', 1L) END"
    ended = f"CASE WHEN {END_COLUMN} IS NOT NULL THEN named_struct('time', {END_COLUMN}, 'diff', -1L) END"
    updates = f"explode(filter(array({began}, {ended}), x -> x IS NOT NULL))"
    exploded = f"SELECT {columns}, {updates} AS item FROM {answers.source}"
    text = f"SELECT {columns}, item.time AS {TIME_COLUMN}, item.diff AS {DIFF_COLUMN} FROM ({exploded})"
    return replace(answers, sql=Sql(text), carried=TIMED)


def _fields(forms: tuple[Form, ...]) -> list[tuple[str, pa.DataType]]:
    return [(column_name(i), arrow_form(form)) for i, form in enumerate(forms)]
