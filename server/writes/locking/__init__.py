"""Locks of statements on rows and tables, until their transaction or savepoint ends; ledgers/ holds the locks.

waiting  takes locks for a statement: timeouts, PostgreSQL's messages
altered  tables locked by DDL
changes  rows of a table that changed since they were read
pinned   finds queries about a single row, named by its key
targets  the tables that a statement writes to, while others' DDL changes them
written  locks the rows that a transaction writes before its commit
"""
