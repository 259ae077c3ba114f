"""The typed relational language: scalar expressions, aggregates, relations; their types, traversal and checks."""
