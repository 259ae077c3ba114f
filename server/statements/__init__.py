"""Statements: one file a kind; `dispatch` picks the file.

dispatch           the door
select             SELECT
subscribe          SUBSCRIBE
system_query       reads of system relations alone
backup             BACKUP
call               CALL, the statements of procedures
within_routine     what statements of routines and of blocks have in common
blocks/            DO, and routines in PL/pgSQL, step by step
large_objects      owners of large objects, rights on them, comments
no_op              statements without effect
results            results as the wire wants them
statement_session  the part of a session that statements see
changes/           INSERT, UPDATE, DELETE, TRUNCATE, REPAIR
copying/           COPY
definitions/       CREATE, ALTER, DROP, and what checks definitions
explaining/        EXPLAIN
session/           variables, transactions, cursors, prepared statements, locks
sources/           sources and connections: schemas, publications, probes
"""
