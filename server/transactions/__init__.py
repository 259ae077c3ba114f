"""A transaction, and one execution of one statement in it.

transaction  nothing of a transaction reaches storage before COMMIT
execution    who asks, in which transaction, with which parameters
trace        what an execution read, for EXPLAIN ANALYZE
evaluating   where a statement's interpreter runs
noting       which reads COMMIT repeats
lookup       what functions ask of sequences
advisory     what functions ask of advisory locks, and how statements wait for locks of all kinds
deferred     constraints that wait for COMMIT
own_keys     keys that the transaction has written itself
key_changes  keys that come and go
permissions  checks that the current role may execute a statement
"""
