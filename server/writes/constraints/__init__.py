"""Checks a statement's writes against the rules of tables.

held_rules         all rules of one table for one statement
checks             CHECK constraints, row by row
key_reading        the rows of a table with given keys
conflicts          separates new rows of ON CONFLICT from conflicting ones; pure
generated          values of generated columns in rows that no plan computes
deferred_checks    keys and foreign keys that waited for COMMIT
guards             row security of new rows
existing_rows      checks existing rows against an added constraint
references         foreign keys; reference_reading: the rows that they lead to
statement_changes  all rows of a table that one statement changes

Keys of a transaction's own rows are in transactions/ (key_changes, own_keys, deferred).
"""
