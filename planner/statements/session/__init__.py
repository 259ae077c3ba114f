"""Statements about the session: settings, transactions, prepared statements, cursors, locks.

lock_table     LOCK TABLE
notifications  LISTEN, UNLISTEN, NOTIFY
scanned_rows   rows of tables behind the rows of cursors, for WHERE CURRENT OF
prepare        PREPARE, EXECUTE, DEALLOCATE
transaction    BEGIN, COMMIT, ROLLBACK, savepoints, SET CONSTRAINTS
variables      SET, RESET, SET TRANSACTION, DISCARD
"""
