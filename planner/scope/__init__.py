"""Knowledge about a statement while it is planned: names, bindings, settings, and drafts of queries.

analysis    the state of planning one statement
scope       columns by their names
draft          a query half planned: columns have types, perhaps unknown
environment    the surroundings of a query: outer rows, and WITH queries by name
ordering       ASC, DESC, NULLS FIRST and LAST, USING < and >
planned_query  a planned query, with order and limit still apart from the relation
system_columns tableoid and xmin of tables
table_call     a call of a set-returning function, not yet placed in its query
uses           reads and writes of a statement, by relation and column
window_use     windows of a SELECT as its clauses define them
"""
