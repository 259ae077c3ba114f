"""What is known while a statement is planned: names, bindings, settings, and the drafts of what it becomes.

analysis    everything that planning a statement carries along
scope       which names mean which columns
draft          a query half planned: its columns have types, perhaps unknown
environment    what surrounds a query: the rows outside it and the WITH queries it may name
ordering       ASC, DESC, NULLS FIRST and LAST, USING < and >
planned_query  a query planned, with its order and limit still apart from its relation
table_call     a call of a set-returning function whose place in a query is not settled yet
uses           what a statement does with each relation that it names, column by column
window_use     windows of a SELECT as its clauses define them
"""
