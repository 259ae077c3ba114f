"""Statements that change rows.

insert              INSERT; insert_on_conflict: with ON CONFLICT
update_delete       UPDATE and DELETE
merge               MERGE
modifying           WITH queries that change rows
truncate            TRUNCATE
repair_table        ALTER TABLE … REPAIR
returning           RETURNING
touched_rows        rows that a statement has changed already
"""
