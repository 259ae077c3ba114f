"""Statements that define things.

ddl               statements whose changes the catalog translates
implicit_objects  tells of sequences and indexes that a statement makes unasked
routines          CREATE FUNCTION and ALTER FUNCTION, with settings and LEAKPROOF
alter_table       ALTER TABLE that reads or writes rows
widen_columns     numeric columns that become wide, unasked
add_constraint    ALTER TABLE … ADD CONSTRAINT
alter_composite   ALTER TYPE … ATTRIBUTE, which writes columns of the type anew
alter_domain      ALTER DOMAIN, which may read rows
alter_sequence    ALTER SEQUENCE
create_table_as   CREATE TABLE AS
create_schema     CREATE SCHEMA, with objects
create_sink       CREATE SINK
connections       CREATE and VALIDATE CONNECTION
read_hold         CREATE READ HOLD
clusters          CREATE, ALTER and DROP CLUSTER
promotion         ALTER SYSTEM PROMOTE
replicas          CREATE and DROP CLUSTER REPLICA
refresh           REFRESH
check_index       CHECK INDEX
check_view        CHECK VIEW
repair_view       ALTER MATERIALIZED VIEW … REPAIR
maintainable      refuses views that can't be kept up to date
"""
