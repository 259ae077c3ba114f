"""The contents of pg_catalog, a file for each family of relations.

activity     sessions and their resources: pg_stat_activity, prepared statements, cursors; and time zones
cluster      the relations that all databases share
code         functions, operators and casts: those of PostgreSQL's that exist here
constraints  pg_constraint: the checks of domains and tables, primary, unique and foreign keys
indexes      pg_index: the columns of an index, and whether they are a key
lists        pg_tables, pg_views, pg_matviews, pg_indexes: relations by name, for people; and pg_description
own_items    chooses the users' relations that a reader's system relations list
policies     pg_policy and pg_policies
roles        roles, their memberships and settings, and what is granted on objects to come
sequences    pg_sequence, pg_sequences, and the columns of other relations about sequences and their columns
types        the facts about types that pg_attribute repeats, and pg_type itself
"""
