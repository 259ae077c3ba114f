"""Union and Threshold: multiplicities add up; Threshold keeps rows of positive multiplicity.

A multiset is the consolidation of signed rows: equal rows gathered, their multiplicities summed, repeated.
"""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.linear import in_forms, signed, with_error
from compute.operators.rendered import Form, Rendered, decimals_name, error_column, physical_form, select_list
from compute.scalars.comparisons import group_key
from compute.scalars.failure import first_error
from compute.scalars.numerics import common_form, decimals_of
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value, column
from model.physical.columns import column_name
from model.types.scalar_type import TypeName
from planner.ir.properties import alike
from planner.ir.relation import Threshold, Union


def render_union(node: Union, context: Context) -> Rendered:
    return unite([context.rendered(input_) for input_ in node.inputs])


def unite(inputs: list[Rendered]) -> Rendered:
    """Returns the rows of all inputs."""
    if len(inputs) == 1:
        return inputs[0]
    forms = tuple(_common([input_.forms[i] for input_ in inputs]) for i in range(inputs[0].arity))
    asked = frozenset().union(*(input_.shown for input_ in inputs))
    told = frozenset(i for i in asked if all(decimals_of(input_.values()[i]) is not None for input_ in inputs))
    inputs = [_telling(input_, told) for input_ in inputs]
    inputs = [in_forms(input_, forms) for input_ in inputs]
    if any(input_.signed for input_ in inputs):
        inputs = [signed(input_) for input_ in inputs]
    if any(input_.error is not None for input_ in inputs):
        is_text = any(input_.error is not None and input_.error.is_text for input_ in inputs)
        inputs = [with_error(input_, is_text) for input_ in inputs]
        merged = first_error(*(input_.error for input_ in inputs))
        assert merged is not None
        inputs[0] = replace(inputs[0], error=error_column(merged))
    shown = frozenset.intersection(*(input_.shown for input_ in inputs))
    text = Sql(" UNION ALL ".join(f"({_ordered(replace(input_, shown=shown))})" for input_ in inputs))
    return replace(inputs[0], sql=text, shown=shown)


def _telling(input_: Rendered, told: frozenset[int]) -> Rendered:
    """Returns the same rows with columns that tell the decimals of these numerics, whose types tell them so far."""
    missing = sorted(told - input_.shown)
    if not missing:
        return input_
    values = input_.values()
    more = "".join(f", {decimals_of(values[i])} AS {decimals_name(i)}" for i in missing)
    return replace(input_, sql=Sql(f"SELECT *{more} FROM {input_.source}"), shown=input_.shown | told)


def _ordered(input_: Rendered) -> str:
    columns = [column_name(i) for i in range(input_.arity)]
    listed = select_list(columns, input_.error, input_.carried) + input_.companions
    return f"SELECT {listed} FROM {input_.source}"


def _common(forms: list[Form]) -> Form:
    first = replace(forms[0], type=alike([form.type for form in forms]))
    if first.type.name is not TypeName.NUMERIC:
        return first
    if all(form == first for form in forms):
        return first
    values: list[Value] = [column("c", form.type, form.decimal) for form in forms]
    bounds = common_form(values)
    return Form(first.type, bounds) if bounds[0] < 38 else replace(physical_form(first.type), type=first.type)


def render_threshold(node: Threshold, context: Context) -> Rendered:
    return multiset(context.rendered(node.input))


def multiset(input_: Rendered) -> Rendered:
    """Returns the same rows without multiplicities: each as often as its own says, never less than zero times."""
    if not input_.signed:
        return input_
    carried = input_.carried[:-1]
    columns = [column_name(i) for i in range(input_.arity)]
    stand_ins = [group_key(name, form.type) for name, form in zip(columns, input_.forms, strict=True)]
    keys = [name if key is None else str(key) for name, key in zip(columns, stand_ins, strict=True)]
    kept = [name if key is None else f"min({name}) AS {name}" for name, key in zip(columns, stand_ins, strict=True)]
    error = "" if input_.error is None else ", min(err) AS err"
    grouping = f" GROUP BY {', '.join([*keys, *carried])}" if keys or carried else ""
    # Of rows that are equal the most decimals are shown, among those that are counted up.
    told = [decimals_name(i) for i in sorted(input_.shown)]
    kept += [f"max(CASE WHEN diff > 0 THEN {name} END) AS {name}" for name in told]
    listed = "".join(f"{item}, " for item in (*kept, *carried))
    sums = f"SELECT {listed}sum(diff) AS diff{error} FROM {input_.source}{grouping}"
    live = "diff > 0" if input_.error is None else "(diff > 0 OR err IS NOT NULL)"
    listed = select_list(columns, input_.error, carried) + input_.companions
    copies = "explode(sequence(1L, greatest(diff, 1L)))"
    text = f"SELECT {listed} FROM (SELECT *, {copies} AS copy FROM (SELECT * FROM ({sums}) WHERE {live}))"
    return replace(input_, sql=Sql(text), carried=carried)
