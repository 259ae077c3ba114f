"""The typed relational language.

scalar, aggregate, relation   the nodes
visit                         every node's children, in one place; columns, locals: moving expressions, naming relations
properties                    a plan's columns
reads, rewrite_gets           what a plan reads; other relations in its place
handing_on   who hands on rows as they come, so that what makes them need not come to an end
origins      which column of which collection each column of a relation is, unchanged
placeholder  stands in a SELECT's expressions for a value that is planned later
query        a query: a relation, how its rows are finished, and AS OF
size         how large a plan is, and how large it becomes where what is bound is unfolded wherever it is read
steps        counts the steps of planning, so that a plan that takes too many is given up
table_rows   whether the rows of a query are those of its tables, so that FOR UPDATE can lock them
unique       columns that tell the rows of a relation apart: no two rows agree on them, NULL agreeing with NULL
unit         small relations and predicates that planning makes
window       window calls: one value for each row
"""
