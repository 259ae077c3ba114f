"""System relations without their contents: fixed ids and columns.

relation               what a system relation is
snapshot               what contents are computed from
dataflow_status        how indexes and materialized views do, as the snapshot has it
stored, data/          facts of PostgreSQL 16, written by tools/generate_pg_catalog.py
mz_catalog             Headwater's relations for users
mz_histories           those of mz_internal that tell of the past hour
mz_internal            Headwater's relations for those who operate it
pg_stat_statements     the views of PostgreSQL's extension of that name
listing                all of them
"""
