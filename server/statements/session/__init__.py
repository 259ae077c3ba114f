"""Statements about the session itself.

variables        SET, SHOW, RESET, DISCARD
transactions     BEGIN, COMMIT, ROLLBACK, savepoints
two_phase        PREPARE TRANSACTION, COMMIT and ROLLBACK PREPARED
set_constraints  SET CONSTRAINTS
cursors          DECLARE, FETCH, MOVE, CLOSE
prepared         PREPARE, EXECUTE, DEALLOCATE
role_statements  CREATE and ALTER ROLE, SET ROLE
notifications    LISTEN, UNLISTEN, NOTIFY
lock_table       LOCK TABLE
lock_rows        SELECT … FOR UPDATE
"""
