"""Checks a statement's writes against the rules of tables.

checks        CHECK constraints, row by row
key_changes   the keys that a statement asserts and retracts, and violations among them; pure
own_keys      the transaction's own rows, by key
key_reading   the rows of a table with given keys
conflicts     separates new rows of ON CONFLICT from conflicting ones; pure
existing_rows checks existing rows against an added constraint
held_rules    all rules of one table for one statement
deferred           foreign keys checked at COMMIT, or at SET CONSTRAINTS
reference_reading  reads rows of a table by the columns of a foreign key, on either side
references         checks foreign keys against a statement's writes, once they belong to the transaction
statement_changes  a statement's changes to the rows of a table, from its buffered writes
"""
