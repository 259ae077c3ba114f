"""The reference interpreter: plain Python that says what every plan means, over multisets held as lists of rows.

context      what evaluation takes from outside: session values, settings, the catalog, collections
evaluate     the doors: evaluate_relation, evaluate_query, evaluate_scalar
scalars, calls, subqueries      expressions become Python closures
relations, joins, aggregates    relations become Python closures that return their rows
execution                       the state of one evaluation
reach, selection, sorting       which rows an expression reads and may fail for; predicates; SQL's order
finishing    order, offset, limit and projection of a query
parameters   literals in the places of parameters and session values
asking         tells what a query over users' collections asks of the catalog and the session
effort         how much an evaluation may take, told from the plan alone
flows          a relation's rows one by one
frames         which rows of a group are in each row's frame: the definition, for a group in its order
gathering      rows that several ask for, gathered as far as any of them has asked, and found by a key
join_flows     joins whose inputs may have no end: each side is read as far as the rows that are asked for need it
recursion      WITH RECURSIVE and WITH MUTUALLY RECURSIVE: relations computed in rounds
row_program    queries over a few rows that are at hand, compiled once and run with ever other rows and parameters
streaming      a query's rows as they come, in the order in which a client sees them
window_values  the values of one window call for a group in its order
windows        window: groups put in order, each call evaluated for all rows of a group
"""
