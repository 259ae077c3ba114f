"""The syntax of expressions to typed scalars, one family of constructs a file; `planner` dispatches.

all_handlers         importing this registers the planning of every kind of expression
arrays               ARRAY[…], nested and cast, and subscripts and fields behind a value
calls                building calls: overloads resolved, arguments cast, result typed
casts                CAST and `::`, COLLATE
columns              column references: bare, by table, whole rows, from enclosing queries
comparisons          comparisons by operator, of rows field by field
conditionals         CASE, COALESCE, GREATEST and LEAST
constants            constants, parameters and the values that SQL writes as keywords: CURRENT_DATE, CURRENT_USER …
functions            calls by name: scalar functions, aggregates, set-returning functions, casts written as calls
list_items           items and slices of a list
members              LIST[…] and MAP[…], nested and cast, and the items and slices of a list
missing_names        what an error says of a table or a column that a query names and can't have
named_arguments      arguments by name, `make_interval(days => 10)`
operators            operators: a op b, AND/OR/NOT, IN, BETWEEN, LIKE, IS …, ANY/ALL over arrays, row comparisons
range_constructors   calls of the constructors of users' range types
row_order            the order in which a set-returning function gives its rows
rows                 ROW(…) and (a, b): their fields, where `t.*` stands for all columns of t
session_functions    functions whose value is the session's, the statement's or the transaction's
sql_json             IS JSON, and the constructors JSON_ARRAY and JSON_OBJECT
sql_json_aggregates  JSON_ARRAYAGG, JSON_OBJECTAGG and JSON_ARRAY over a query
stars                stars: the columns that `*`, `t.*` and `(expression).*` stand for
subqueries           subqueries in expressions: scalar, EXISTS, IN, op ANY and ALL, ARRAY(…)
variadic             VARIADIC before the last argument of a call
users/               users' functions: their calls, and their bodies
grouped/             aggregates, grouping sets and windows
"""
