"""The reference interpreter: plain Python that says what every plan means, over multisets held as lists of rows.

context      what evaluation takes from outside: session values, settings, the catalog, collections
evaluate     the doors: evaluate_relation, evaluate_query, evaluate_scalar
scalars, calls, subqueries      expressions become Python closures
relations, joins, aggregates    relations become Python closures that return their rows
execution                       the state of one evaluation
reach, selection, sorting       which rows an expression reads and may fail for; predicates; SQL's order
finishing    order, offset, limit and projection of a query
parameters   literals in the places of parameters and session values
"""
