"""Reduce: one row a group. Three selects: the inputs of the aggregates, Spark's partial sums, the answers from them.
Between the first two stand the orders that ordered-set aggregates ask for.

Carried columns (the version of the row's group) are part of the group's key, and are carried on.

A group with an error row is an error; errors of the answers (a sum out of range) are judged on the final sums, never on
partial ones.
"""

from __future__ import annotations

from compute.operators.aggregates import lower_aggregate
from compute.operators.context import Context
from compute.operators.group_columns import GroupColumns
from compute.operators.linear import settled
from compute.operators.rendered import Form, Rendered, error_column, select
from compute.operators.union import multiset
from compute.scalars.comparisons import group_key
from compute.scalars.failure import first_error
from compute.scalars.layers import Layers
from compute.scalars.numerics import decimals_of, hangs_on_values
from compute.scalars.spark_sql import Sql
from compute.scalars.value import Value, column
from planner.ir.relation import Reduce


def render_reduce(node: Reduce, context: Context) -> Rendered:
    input_ = multiset(context.rendered(node.input))
    layers = Layers()
    groups = GroupColumns(context.lowering(input_.values(), layers), layers, context.python, context.shown)
    keys = settled(layers, [groups.lowering.lower(key) for key in node.key])
    key_names = [f"k{i}" for i in range(len(keys))]
    told = {name: f"{name}_decimals" for key, name in zip(keys, key_names) if context.shown and hangs_on_values(key)}
    answers = [lower_aggregate(groups, aggregate) for aggregate in node.aggregates]
    error = first_error(input_.error, *(key.error for key in keys), *groups.input_errors)

    named = [f"{key.sql} AS {name}" for key, name in zip(keys, key_names, strict=True)]
    named += [f"{decimals_of(key)} AS {told[name]}" for key, name in zip(keys, key_names) if name in told]
    named += [f"{sql} AS {name}" for name, sql in groups.inputs]
    named += [f"{error.sql} AS err"] if error is not None else []
    inputs = f"SELECT {', '.join([*named, *input_.carried]) or '0 AS z'} FROM {layers.over(input_.source)}"

    grouping, outputs = _keys(keys, key_names)
    grouping += input_.carried
    inputs = groups.placed(inputs, grouping)
    # Of keys that are equal the one with the most decimals is shown.
    outputs += [f"max({decimals}) AS {decimals}" for decimals in told.values()]
    outputs += [*(f"{sql} AS {name}" for name, sql in groups.partials), *input_.carried]
    outputs += ["min(err) AS err"] if error is not None else []
    grouped = f" GROUP BY {', '.join(grouping)}" if grouping else ""
    partial = Sql(f"SELECT {', '.join(outputs) or '0 AS z'} FROM ({inputs}){grouped}")
    if not node.key and not outputs:
        # One group, and nothing to say of it: an aggregate makes it one row.
        partial = Sql(f"SELECT count(1) AS z FROM ({inputs})")

    below = error_column(error) if error is not None else None
    settled_answers = settled(groups.finals, answers)
    key_values = [
        column(name, key.type, key.decimal, shown=Sql(told[name]) if name in told else None)
        for key, name in zip(keys, key_names, strict=True)
    ]
    forms = tuple(Form(value.type, value.decimal) for value in (*key_values, *settled_answers))
    partials = Rendered(partial, forms, below, input_.carried)
    total = first_error(below, *(answer.error for answer in settled_answers))
    return select(partials, groups.finals, [*key_values, *settled_answers], total, with_shown=context.shown)


def _keys(keys: list[Value], names: list[str]) -> tuple[list[str], list[str]]:
    """Returns the expressions to group by, and to show: the least of values that are equal and differ in form."""
    grouping, outputs = [], []
    for key, name in zip(keys, names, strict=True):
        stand_in = group_key(name, key.type)
        grouping.append(name if stand_in is None else str(stand_in))
        outputs.append(name if stand_in is None else f"min({name}) AS {name}")
    return grouping, outputs
