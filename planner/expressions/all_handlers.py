"""Importing this registers the planning of every kind of expression."""

from planner.expressions import (
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
