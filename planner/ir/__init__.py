"""The typed relational language.

scalar, aggregate, relation   the nodes
visit                         the children of every node; columns, locals: moving expressions, naming relations
properties                    a plan's columns
reads, rewrite_gets           the collections that a plan reads; replacing Gets by relations
definers     what a SECURITY DEFINER function reads, in the plan of the query that calls it
handing_on   operators that hand rows on one by one, so that LIMIT may stop an endless input
origins      the collection's column from which a relation's column comes unchanged
placeholder  stands in a SELECT's expressions for a value planned later
query        a query: a relation, ORDER BY and LIMIT over its rows, and AS OF
size         the number of nodes in a plan, as written and with Lets unfolded at each use
steps        counts the steps of planning; a plan of too many steps is given up
table_rows   the tables whose rows a query returns, which FOR UPDATE can lock
unique       columns that tell the rows of a relation apart: no two rows agree on them, NULL agreeing with NULL
unit         small relations and predicates that planning makes
window       window calls: one value for each row
"""
