"""Locks between sessions: on rows and tables, in memory, until their transaction or savepoint ends.

locks       holders, waiters, deadlocks
conflicts   compatibility of modes
altered     tables locked by DDL
waiting     takes locks for a statement: timeouts, PostgreSQL's messages
row_keys    the identity by which a row is locked
changes     rows of a table that changed since they were read
written     locks the rows that a transaction writes before its commit
pinned   finds queries about a single row of a table, named by its key
targets  the tables that a statement writes to, while others' DDL changes them
"""
