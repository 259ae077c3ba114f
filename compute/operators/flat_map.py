"""FlatMap: each row beside the rows of a table function of it."""

from __future__ import annotations

from compute.operators.context import Context
from compute.operators.rendered import Form, Rendered, error_column, physical_forms, select_list
from compute.scalars.failure import first_error
from compute.scalars.layers import Layers
from compute.scalars.spark_sql import Sql
from model.physical import column_name
from model.scalar_type import INT8
from planner.ir.relation import FlatMap


def render_flat_map(node: FlatMap, context: Context) -> Rendered:
    """The rows come as an array of structs, which Spark explodes; a row whose function fails is an error."""
    input_ = context.rendered(node.input)
    layers = Layers()
    values = input_.values()
    lowering = context.lowering(values, layers)
    arguments = tuple(lowering.lower(argument) for argument in node.arguments)
    rows = layers.once(context.python.table(layers, node.function, arguments, node.desc))
    error = first_error(input_.error, rows.error)
    assert error is not None
    columns = [value.sql for value in values]
    listed = select_list([str(column) for column in columns], error, input_.signed)
    # An error's row passes with an array of one NULL, so that exploding keeps it.
    guarded = f"CASE WHEN {error.sql} IS NULL THEN {rows.sql} ELSE array(NULL) END"
    exploded = f"SELECT {listed}, posexplode({guarded}) AS (place, item) FROM {layers.over(input_.source)}"
    produced = [f"item.f{i}" for i in range(node.desc.arity)]
    produced += ["CAST(place + 1 AS BIGINT)"] if node.ordinality else []
    below = error_column(error)
    outputs = [column_name(i) for i in range(input_.arity)] + produced
    forms = input_.forms + physical_forms(node.desc) + ((Form(INT8),) if node.ordinality else ())
    text = f"SELECT {select_list(outputs, below, input_.signed)} FROM ({exploded})"
    return Rendered(Sql(text), forms, below, input_.signed)
