"""Relations of every kind, over two tables of all sorts of values: what the law of maintenance is tried on."""

from __future__ import annotations

from model.types.scalar_type import BOOL, FLOAT8, INT8, NUMERIC, TEXT, array_of
from planner.ir.aggregate import Aggregate
from planner.ir.relation import Relation, TopK
from tests.compute.test_render_agrees import (
    DESC,
    GET,
    LEFT,
    OTHER,
    PLANS,
    POOLS,
    RIGHT,
    col,
    key_of,
    number,
    reduce,
)

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
MIXED = (
    Aggregate("max_int8", (col(1),), INT8),
    SUMS[0],
    Aggregate("min_int8", (col(1),), INT8, condition=col(7)),
    Aggregate("min_numeric", (col(2),), NUMERIC),
    Aggregate("max_int8", (col(1),), INT8, distinct=True),
    Aggregate("sum_float8", (col(3),), FLOAT8),
)
ONE_OF_EACH = (
    SUMS[0],
    Aggregate("count_any", (col(4),), INT8, distinct=True),
    SUMS[7],
    Aggregate("min_text", (col(4),), TEXT, condition=col(7)),
    Aggregate("stddev_int4", (col(0),), NUMERIC),
    Aggregate("array_agg_anynonarray", (col(4),), array_of(TEXT), order=(key_of(1, True, True), key_of(0))),
)
"""Counted, distinct, exact, least, of moments, and of all rows: what steps keep differs."""
TOPS: dict[str, Relation] = {
    f"first by column {index}{' descending' if descending else ''}": TopK(
        GET, (7,), (key_of(index, descending, not descending), key_of(1)), number(2), number(1) if descending else None
    )
    for index in range(7)
    for descending in (False, True)
}
EXTREMES: dict[str, Relation] = {
    f"{word} of {name}": reduce(
        (4,) if index % 2 else (), Aggregate(f"{word}_{name}", (col(index),), DESC.types[index])
    )
    for index, name in enumerate(("int4", "int8", "numeric", "float8", "text", "interval"))
    for word in ("min", "max")
}
RELATIONS: dict[str, Relation] = {
    **{name: plan for name, plan in PLANS.items() if name != "minus"},
    "sums by key": reduce((0,), *SUMS),
    "sums by float": reduce((3,), *SUMS[:4]),
    "sums by text, of the other": reduce((4,), *SUMS, input_=OTHER),
    "sums of all": reduce((), *SUMS),
    "sums of distinct": reduce((7,), Aggregate("sum_float8", (col(3),), FLOAT8, distinct=True), SUMS[0]),
    "least of some": reduce((), Aggregate("min_int8", (col(1),), INT8, condition=col(7))),
    "one of each kind of all": reduce((), *ONE_OF_EACH),
    "limit": TopK(GET, (), (), number(3), None),
    "first of each group": TopK(GET, (7,), (key_of(7), key_of(2, True, False)), number(1), None),
    "extremes and sums by key": reduce((4,), *MIXED),
    "extremes and sums of all": reduce((), *MIXED),
    **TOPS,
    **EXTREMES,
}
