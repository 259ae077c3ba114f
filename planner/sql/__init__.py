"""From SQL text to plans.

parse, extensions     text to PostgreSQL's syntax tree; Materialize's clauses around it (segments, …_clauses)
type_names, literals  the small leaves: types, constants
scope                 which names mean which columns
coercion, resolution  PostgreSQL's type conversion: casts, overloads, common types
expressions/          syntax of expressions to typed scalars
query, select, …      queries to relations
statements/           one file for each kind of statement
plan_statement        the door
"""
