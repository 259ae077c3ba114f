"""What tables demand of their rows, held against what a statement writes.

checks        CHECK constraints, row by row
key_changes   which keys a statement asserts and retracts, and what that says; pure
own_keys      what the transaction has written, by key
key_reading   the rows of a table that have some keys
conflicts     which rows of ON CONFLICT are new; pure
existing_rows a constraint that is added, held against the rows that are there
held_rules    all of one table's rules for one statement
"""
