"""Queries to relations: FROM, WHERE, GROUP BY, windows, set operations, recursion, LIMIT; `query` is the door."""
