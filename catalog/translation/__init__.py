"""Plans of statements that define things as changes of the catalog; `statements` is the door.

access_objects    DROP and RENAME of secrets, connections and sinks
add_tables        CREATE TABLE … FROM SOURCE, and ALTER SOURCE … ADD SUBSOURCE and REFRESH
alter_constraint  ALTER TABLE … ADD, DROP and RENAME CONSTRAINT
alter_sink        ALTER SINK: PAUSE, RESUME, BACKFILL, SET FROM, SET (PARALLELISM n)
columns           ALTER TABLE … ADD and ALTER COLUMN: names to changes, with PostgreSQL's errors
constraints       constraints of a table to changes
create_sink       CREATE SINK
create_source     CREATE SOURCE: creates the source and its progress relation
create_webhook    CREATE SOURCE … FROM WEBHOOK
drop              DROP of relations, schemas, databases and left replication slots
drop_column       ALTER TABLE … DROP COLUMN: what goes with the column, and PostgreSQL's errors and notices
functions         CREATE FUNCTION, and the functions that DROP, ALTER and GRANT name
maintained        CREATE INDEX and CREATE MATERIALIZED VIEW, CREATE OR REPLACE
range_type        CREATE TYPE … AS RANGE
refresh_tables    ALTER SOURCE … REFRESH: follows tables of a PostgreSQL source as upstream has them now
policies          CREATE, ALTER and DROP POLICY, and the switches of row security, to changes
rename            ALTER … RENAME, … SET SCHEMA, … SWAP WITH: names to changes, with PostgreSQL's errors and notices
roles/            statements about roles, memberships, owners and privileges to changes
sequence          sequences: names and options to changes, with PostgreSQL's errors and notices
set_cluster       ALTER … SET CLUSTER of what a cluster runs
set_type          ALTER COLUMN … TYPE: the last column, which was added and filled for this, replaces the column
types             ALTER TYPE and DROP TYPE: names to changes, with PostgreSQL's errors and notices
"""
