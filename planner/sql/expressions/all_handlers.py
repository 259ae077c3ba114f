"""Importing this registers the planning of every kind of expression."""

from planner.sql.expressions import (
    casts,
    columns,
    conditionals,
    constants,
    functions,
    grouping,
    operators,
    rows,
    sql_json,
    subqueries,
)

HANDLERS = (casts, columns, conditionals, constants, functions, grouping, operators, rows, sql_json, subqueries)
