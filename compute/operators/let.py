"""Let: a relation named once, and read by each LocalGet."""

from __future__ import annotations

from dataclasses import replace

from compute.operators.context import Context
from compute.operators.rendered import Rendered
from compute.scalars.spark_sql import Sql
from planner.ir.relation import Let


def render_let(node: Let, context: Context) -> Rendered:
    value = context.rendered(node.value)
    if node.local_id in context.kept:
        # At once, by a job of its own: its rows lie beside the heap, and what reads it knows nothing of how they came.
        name = context.add_view(context.spark.sql(context.complete(value.sql)).localCheckpoint(eager=True))
    else:
        name = context.share(value.sql)
    context.locals[node.local_id] = replace(value, sql=Sql(f"SELECT * FROM {name}"))
    return context.rendered(node.body)
