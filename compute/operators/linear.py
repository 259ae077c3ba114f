"""Get, Project, Map, Filter, Negate: each row independently, so the operator of a change is the change of its result.

op(A + B) = op(A) + op(B)
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.rendered import (
    ERROR_COLUMN,
    Form,
    Rendered,
    decimals_name,
    error_column,
    physical_forms,
    scan,
    select,
    select_list,
)
from compute.scalars.failure import Error, as_text, first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import exactly
from compute.scalars.spark_sql import Sql, conjunction
from compute.scalars.value import Value
from model.physical.columns import DIFF_COLUMN, column_name
from model.types.decimals_columns import told_decimals
from planner.ir.relation import Filter, Get, LocalGet, Map, Negate, Project
from planner.ir.unit import conjuncts


def render_get(node: Get, context: Context) -> Rendered:
    """Renders a collection. A fallible collection has errors as rows, with text in its column `err`."""
    forms = physical_forms(node.desc)
    error = Error(Sql(ERROR_COLUMN), is_text=True) if node.id in context.fallible else None
    decimals, shown = stored_decimals(node, context)
    return Rendered(scan(context.inputs[node.id], forms, error=error, decimals=decimals), forms, error, shown=shown)


def stored_decimals(node: Get, context: Context) -> tuple[str, frozenset[int]]:
    """Returns more columns of a scan, each after a comma, that tell the decimals of numerics, and the positions of
    these numerics; none where nobody asks."""
    told = told_decimals(node.desc.columns) if context.shown else ()
    columns = "".join(f", {column_name(place)} AS {decimals_name(at)}" for at, place in told)
    return columns, frozenset(at for at, _ in told)


def render_local_get(node: LocalGet, context: Context) -> Rendered:
    return context.locals[node.local_id]


def render_project(node: Project, context: Context) -> Rendered:
    input_ = context.rendered(node.input)
    values = input_.values()
    chosen = [values[index] for index in node.columns]
    return select(input_, Layers(), chosen, input_.error, with_shown=context.shown)


def render_map(node: Map, context: Context) -> Rendered:
    input_ = context.rendered(node.input)
    layers = Layers()
    values = input_.values()
    lowering = context.lowering(values, layers)
    added = [lowering.lower(scalar) for scalar in node.scalars]
    outputs = settled(layers, [*values, *added])
    error = first_error(input_.error, *(value.error for value in outputs))
    return select(input_, layers, outputs, error, with_shown=context.shown)


def settled(layers: Layers, values: list[Value]) -> list[Value]:
    """Returns the values with named errors, because the select's error repeats them."""
    return [layers.once(value) if value.error is not None else value for value in values]


def render_filter(node: Filter, context: Context) -> Rendered:
    """Renders a filter: a predicate that fails keeps the row as an error, unless another predicate rejects the row."""
    input_ = context.rendered(node.input)
    layers = Layers()
    lowering = context.lowering(input_.values(), layers)
    predicates = settled(layers, [lowering.lower(predicate) for predicate in conjuncts(*node.predicates)])
    error = first_error(input_.error, *(predicate.error for predicate in predicates))
    conditions = [kept(predicates, input_.error)]
    return select(input_, layers, list(input_.values()), error, conditions, with_shown=context.shown)


def kept(predicates: list[Value], error: Error | None) -> Sql:
    """Returns the condition that keeps rows for which all predicates are true, and error rows."""
    parts = [
        predicate.sql if predicate.error is None else Sql(f"({predicate.error.sql} IS NOT NULL OR {predicate.sql})")
        for predicate in predicates
    ]
    condition = conjunction(parts) if parts else Sql("true")
    return condition if error is None else Sql(f"({error.sql} IS NOT NULL OR {condition})")


def render_negate(node: Negate, context: Context) -> Rendered:
    return negated(signed(context.rendered(node.input)))


def negated(input_: Rendered) -> Rendered:
    """Returns signed rows with their signs changed. Errors are not negated: none may cancel another."""
    columns = [column_name(i) for i in range(input_.arity)]
    listed = select_list(columns, input_.error, input_.carried[:-1])
    diff = "(- diff)" if input_.error is None else "CASE WHEN err IS NULL THEN (- diff) ELSE diff END"
    text = Sql(f"SELECT {listed}, {diff} AS diff{input_.companions} FROM {input_.source}")
    return replace(input_, sql=text)


def signed(input_: Rendered) -> Rendered:
    """Adds a multiplicity to each row."""
    if input_.signed:
        return input_
    columns = select_list([column_name(i) for i in range(input_.arity)], input_.error, input_.carried)
    text = Sql(f"SELECT {columns}, 1L AS diff{input_.companions} FROM {input_.source}")
    return replace(input_, sql=text, carried=(*input_.carried, DIFF_COLUMN))


def in_forms(input_: Rendered, forms: tuple[Form, ...]) -> Rendered:
    """Converts every numeric to its form in `forms`; a number that does not fit is an error."""
    if input_.forms == forms:
        return input_
    layers = Layers()
    values = [
        value if form.decimal is None else exactly(layers, value, form.decimal, form.type)
        for value, form in zip(input_.values(), forms, strict=True)
    ]
    values = settled(layers, values)
    error = first_error(input_.error, *(value.error for value in values))
    return select(input_, layers, values, error, with_shown=bool(input_.shown))


def with_error(input_: Rendered, is_text: bool) -> Rendered:
    """Adds an error column of text or numbers; an input whose errors are text keeps them as text."""
    if input_.error is not None and input_.error.is_text == is_text:
        return input_
    missing = Error(Sql("CAST(NULL AS STRING)" if is_text else "CAST(NULL AS INT)"), is_text)
    error = missing if input_.error is None else as_text(input_.error)
    columns = select_list([column_name(i) for i in range(input_.arity)], error, input_.carried)
    text = Sql(f"SELECT {columns}{input_.companions} FROM {input_.source}")
    return replace(input_, sql=text, error=error_column(error))
