"""What exists: a time-varying collection of definitions, each version of which is an immutable CatalogState.

names, items      identifiers; databases, schemas, roles, and items (tables, views) as data
state             one version of the catalog, with its indexes by name and by oid
changes, apply    the closed union of changes, and the pure function from a state and changes to the next state
drops             what depends on what is dropped, in PostgreSQL's order and words
durable           states as rows of the catalog's shard, and back; what a bootstrap writes
history           the states over time, for reads AS OF
migrations/       older forms of the rows to the present one
fence             the epoch under which an environment may write
allocate          GlobalIds and oids, never given twice
translate         DDL plans to changes and notices
view, lookup      what the planner, and functions such as to_regclass, see of a state
builtin/          system relations: pg_catalog, information_schema, mz_catalog, mz_internal

Nothing here does I/O; the coordinator appends what `durable` gives it in a group commit.
"""
