"""System relations: fixed ids and descs, with contents computed from a SystemSnapshot when they are read.

relation, schemas     what a system relation is; the schemas they are in
snapshot              what contents are computed from; dataflow_status: of indexes and materialized views
stored, data/         facts of PostgreSQL 16, written by tools/generate_pg_catalog.py
mz_catalog, mz_internal     Headwater's own relations; their contents are in mz_*_rows
pg_catalog/, information_schema     the contents of PostgreSQL's relations, as far as they have any
listing, registry     all of them: without their contents, and with
"""
