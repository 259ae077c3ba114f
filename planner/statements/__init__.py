"""How each kind of statement becomes a plan, one file a kind.

alter             ALTER … RENAME, ALTER … SWAP WITH, ALTER … SET (RETAIN HISTORY FOR …), ALTER TABLE
backup            BACKUP TO a directory or a bucket
changes/          statements that change rows: INSERT, UPDATE, DELETE, COPY, and what they share
cluster           IN CLUSTER
comment           COMMENT ON
connections/      statements about secrets and connections
create_schema     CREATE SCHEMA, CREATE DATABASE
drop              DROP of tables, views, materialized views, indexes, sequences, types, domains, schemas and databases
explain           EXPLAIN: a statement's plan as text, or the timestamp that it would run at
expression_text   an expression that is kept as text: of a DEFAULT, a CHECK, an index
functions/        statements about users' functions
history_interval  RETAIN HISTORY's interval in milliseconds
inner_text        the text of a statement inside a statement: what PREPARE, DECLARE and CREATE VIEW keep
kept_rules        what the catalog keeps as text and demands of values, planned where no statement of a client's is
large_objects     the number of a large object
named_object      the object that CHECK VIEW and EXPLAIN … FOR VIEW name; their statement has become TABLE name
new_names         names of objects to be made: the schema they go to
no_op             statements that are accepted and have nothing to do here, or that Headwater refuses by name
plan_statement    the door of the planner: a parsed statement to its plan
replicas          CREATE, ALTER and DROP CLUSTER; CREATE and DROP CLUSTER REPLICA
roles/            statements about roles, memberships, owners and privileges
select            SELECT, VALUES, TABLE, with AS OF
session/          statements about the session: settings, transactions, prepared statements, cursors, locks
show              SHOW of settings and of catalog objects; the latter are queries over mz_catalog
sinks/            statements about sinks
sources/          CREATE SOURCE: where records are, what rows become of them
tables/           statements that define tables and sequences, and change their definitions
times             expressions that name a time of the timeline
types/            statements that define types: domains, enumerations, composites
views/            statements about views, what keeps them, and who follows them
"""
