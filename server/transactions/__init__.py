"""A transaction, and one execution of one statement in it.

transaction  nothing of a transaction reaches storage before COMMIT
modes        when modes of a transaction may change
transaction_reads    the time of its reads, and what COMMIT tests for changes
transaction_writes   writes that wait for COMMIT
transaction_locks    locks on rows, tables and whole collections
catalog_changes      changes of its DDL, over the newest committed catalog
execution    an execution of a statement: its session, transaction and parameters
trace        the reads of an execution, for EXPLAIN ANALYZE
evaluating   the place where a statement's interpreter runs
noting       the reads that COMMIT repeats
session_facts    answers functions about the session: settings, signals, channels, advisory locks
lookup       questions of functions to sequences
snapshots    the time of one transaction as the time of others
advisory     advisory locks as functions use them; waits of statements for locks of all kinds
deferred     constraints that wait for COMMIT
open_objects large objects that it has open, and changes of these on their way into tables
relations_in_use  relations that open cursors read keep their form
large_object_rights  who may do what with a large object
row_moves    what statements make of the rows that cursors scan
own_keys     keys written by the transaction
key_changes  keys that a statement asserts and retracts
permissions  checks that the current role may execute a statement
"""
