"""Locks between sessions: on rows and tables, in memory, until the transaction or savepoint ends that took them.

locks       who holds what, who waits for whom, and deadlocks
conflicts   which modes go together
altered     which tables DDL locks
waiting     taking locks for a statement: timeouts, PostgreSQL's messages
row_keys    what a row is locked by
changes     which rows of a table have changed since they were read
written     the rows that a transaction writes, locked before its commit
"""
