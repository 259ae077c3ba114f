"""Relations of every kind, over two tables of all sorts of values: what the law of maintenance is tried on."""

from __future__ import annotations

from model.scalar_type import BOOL, FLOAT8, INT8, NUMERIC
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Relation
from tests.compute.test_render_agrees import DESC, LEFT, OTHER, PLANS, POOLS, RIGHT, col, reduce

TABLES = {LEFT: (DESC, POOLS), RIGHT: (DESC, POOLS)}
SUMS = (
    Aggregate("count_star", (), INT8),
    Aggregate("count_star", (), INT8, condition=col(7)),
    Aggregate("count_any", (col(4),), INT8),
    Aggregate("sum_int4", (col(0),), INT8),
    Aggregate("sum_int8", (col(1),), NUMERIC),
    Aggregate("sum_numeric", (col(2),), NUMERIC),
    Aggregate("sum_numeric", (col(6),), NUMERIC, condition=col(7)),
    Aggregate("sum_float8", (col(3),), FLOAT8),
    Aggregate("sum_float8", (col(3),), FLOAT8, condition=col(7)),
    Aggregate("avg_int4", (col(0),), NUMERIC),
    Aggregate("avg_int8", (col(1),), NUMERIC),
    Aggregate("avg_numeric", (col(6),), NUMERIC),
    Aggregate("avg_float8", (col(3),), FLOAT8),
    Aggregate("bool_and_bool", (col(7),), BOOL),
    Aggregate("bool_or_bool", (col(7),), BOOL),
)
RELATIONS: dict[str, Relation] = {
    **{name: plan for name, plan in PLANS.items() if name != "minus"},
    "sums by key": reduce((0,), *SUMS),
    "sums by float": reduce((3,), *SUMS[:4]),
    "sums by text, of the other": reduce((4,), *SUMS, input_=OTHER),
    "sums of all": reduce((), *SUMS),
    "sums of distinct": reduce((7,), Aggregate("sum_float8", (col(3),), FLOAT8, distinct=True), SUMS[0]),
}
