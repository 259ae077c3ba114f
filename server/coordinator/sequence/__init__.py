"""The work of each kind of plan, one file a kind; `dispatch` picks the file.

add_constraint      ALTER TABLE … ADD CONSTRAINT and CREATE UNIQUE INDEX: existing rows must obey, too
alter_sequence      ALTER SEQUENCE: a change of the catalog that also depends on the sequence's state
alter_table         ALTER TABLE: runs the actions one after the other, all in the transaction's single commit
check_index         CHECK INDEX: the difference between an index's rows and its definition's
check_view          CHECK VIEW: subtracts maintained contents
connections         CREATE, ALTER and VALIDATE of secrets and connections, as part of the transaction
copying/            COPY: rows from and to clients, files of the server's, and objects of buckets
create_sink         CREATE SINK: checks the input, and the table that is written to, first
create_table_as     CREATE TABLE AS: makes the table and its rows in one transaction
cursors             DECLARE, FETCH, MOVE, CLOSE
ddl                 CREATE, DROP, ALTER: catalog changes
explain             EXPLAIN: a statement's or an object's plan as text, at the stage that is asked for
explain_maintained  EXPLAIN of views, materialized views and indexes
explain_physical    EXPLAIN PHYSICAL PLAN of a query: the index that answers it, or the sources of its inputs
explain_sink        EXPLAIN of sinks: the documents, the portions, and the guarantees to readers of the destination
explain_timestamp   EXPLAIN TIMESTAMP: the time of a read, the reasons, and the frontiers of all inputs
insert              INSERT: rows from VALUES, DEFAULT VALUES or a query, into one table; INSERT … AS OF a time to come
insert_on_conflict  INSERT … ON CONFLICT: rows whose keys the table has are left out, or change the table's rows
lock_rows           SELECT … FOR UPDATE and its kin
lock_table          LOCK TABLE: until the transaction ends, or goes back to a savepoint before
modifying           WITH that modifies data, and queries inside a statement that lock rows
no_op               COMMENT ON, and statements that are accepted and have nothing to do here
prepared            PREPARE, EXECUTE, DEALLOCATE
read_hold           CREATE, ALTER and DROP READ HOLD: seed 2's capabilities with names, as part of the transaction
refresh             REFRESH MATERIALIZED VIEW: waits until the view shows everything committed before
repair_table        ALTER TABLE … REPAIR: removes impossible retractions from a table
results             results of statements, put together
returning           RETURNING: a query over the rows that a statement writes, and perhaps over other collections
role_statements     statements about roles: passwords, moments and settings as the catalog keeps them; SET ROLE
select              SELECT, VALUES, TABLE, SHOW of system relations; COPY (query) TO STDOUT
set_constraints     SET CONSTRAINTS: sets when deferrable foreign keys are checked in this transaction
statement_session   the session as statements about it use it: transactions, variables, cursors
subscribe           SUBSCRIBE, as rows, through COPY and under a cursor: its beginning and end, its holds, its reads
system_query        a query over system relations alone, observed by a subscription
touched_rows        checks that each row of a table is updated or deleted by one part of a statement alone
transactions        BEGIN, COMMIT, ROLLBACK, SAVEPOINT and its family, SET TRANSACTION
truncate            TRUNCATE: every row that the tables hold at the read timestamp is retracted
update_delete       UPDATE and DELETE: retract the rows selected at the read timestamp; UPDATE asserts new ones
variables           SET, RESET, SHOW, DISCARD
"""
