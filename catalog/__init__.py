"""What exists: a time-varying collection of definitions, each version of which is an immutable CatalogState.

names, items        identifiers; databases, schemas, roles, and items (tables, views, indexes) as data
state, edits        one version of the catalog, with its indexes by name and by oid; the same with one object other
changes, apply      the closed union of changes, and the pure function from a state and changes to the next state
replace_view        what CREATE OR REPLACE VIEW may change
drops, visibility   what goes with what is dropped, in PostgreSQL's order and words; which names need no schema
defaults            DEFAULTs, which name sequences by oid
temporary           the relations of one session, as changes; which changes are nobody else's business
left_slots          replication slots that dropped sources have left upstream
allocate            GlobalIds and oids, never given twice
durable, history    states as rows of the catalog's shard, and back; the states over time, for reads AS OF
migrations/         older forms of the rows to the present one
translate           DDL plans to changes and notices (targets, translate_…, index_names, notices)
view                what the planner sees of a state, and the names that a view's SQL is bound to
lookup              what functions such as to_regclass ask of a state (reg_types, privileges)
definitions         the SQL that would make an item as it is now
builtin/            system relations: pg_catalog, information_schema, mz_catalog, mz_internal

Nothing here does I/O; the coordinator appends what `durable` gives it in a group commit, under the timeline's fence.
"""
