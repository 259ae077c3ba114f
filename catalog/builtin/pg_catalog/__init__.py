"""The contents of pg_catalog, a file for each family of relations.

activity     sessions and their resources: pg_stat_activity, prepared statements, cursors; and time zones
cluster      the relations that all databases share
code         the functions, operators and casts of PostgreSQL that exist here
constraints  pg_constraint: the checks of domains and tables, primary, unique and foreign keys
extensions   pg_extension, and which relations belong to the server's own
indexes      pg_index: the columns and the uniqueness of indexes
lists        pg_tables, pg_views, pg_matviews, pg_indexes: relations by name, for people; and pg_description
own_items    chooses the users' relations that a reader's system relations list
policies     pg_policy and pg_policies
roles        roles, memberships, settings, default privileges
sequences    pg_sequence, pg_sequences, and the rows of other relations about sequences
types        the facts about types that pg_attribute repeats, and pg_type itself
"""
