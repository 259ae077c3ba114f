"""Importing this registers the planning of every kind of expression."""

from planner.expressions import (
    arrays,
    casts,
    columns,
    conditionals,
    constants,
    functions,
    operators,
    rows,
    sql_json,
    sql_json_aggregates,
    subqueries,
)
from planner.expressions.grouped import grouping

HANDLERS = (
    arrays,
    casts,
    columns,
    conditionals,
    constants,
    functions,
    grouping,
    operators,
    rows,
    sql_json,
    sql_json_aggregates,
    subqueries,
)
