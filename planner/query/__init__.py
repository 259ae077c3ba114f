"""Queries to relations: FROM, WHERE, GROUP BY, windows, set operations, recursion, LIMIT; `query` is the door.

assemble           from a SELECT's planned expressions to its relation
common_tables      WITH: each query bound to a local id around the body
dependent_columns  columns that GROUP BY need not name: those of a table whose primary key it names
from_clause        FROM: tables, views, subqueries, functions and joins to one relation and its namespace
from_function      functions in FROM: set-returning and scalar ones, ROWS FROM, WITH ORDINALITY
from_items         items of FROM beside each other: what they are called together, and their product
group_by           GROUP BY: groups of each grouping set, and expressions over rows as expressions over groups
group_keys         what a grouping set groups by
grouping_sets      GROUPING SETS, ROLLUP and CUBE spelled out
joins              JOIN: kinds, ON, USING and NATURAL with their merged columns, aliases of joins
kept_expressions   expressions that the catalog keeps as text (DEFAULT, CHECK, keys of indexes)
limits             LIMIT, OFFSET, FETCH FIRST
locked_apart       FOR UPDATE and its kin in a query within a statement
locking            FOR UPDATE and its kin: which rows of which tables are locked; refused where PostgreSQL refuses
lockstep           several set-returning functions side by side: row n of each, NULLs for those that have ended
read_offsets       ROWS and GROUPS frames whose offset is only known when rows have been read
result_origins     where the columns of a statement's result come from, as clients are told
select             a single SELECT: its clauses in PostgreSQL's order of name resolution
select_parts       a SELECT whose clauses are planned, before they are put together
set_operations     UNION, INTERSECT, EXCEPT, each with ALL or without
source_order       the order in which a subquery hands its rows on to a SELECT that has nothing else in FROM
table_sample       TABLESAMPLE: a share of a table's rows
targets            the SELECT list: stars spread out, expressions planned, columns named
values             VALUES lists
recursion/         WITH RECURSIVE and WITH MUTUALLY RECURSIVE
"""
