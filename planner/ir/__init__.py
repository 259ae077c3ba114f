"""The typed relational language.

scalar, aggregate, relation   the nodes
visit                         every node's children, in one place; columns, locals: moving expressions, naming relations
properties, typecheck         a plan's columns; whether it is well typed
reads, rewrite_gets           what a plan reads; other relations in its place
"""
