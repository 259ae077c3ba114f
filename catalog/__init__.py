"""What exists: a time-varying collection of definitions, each version of which is an immutable CatalogState.

From top to bottom; a room imports only those below it:

translation/  plans of statements that define things, as changes and notices; `statements` is the door
lookup/       what statements ask of a state: the planner's view, functions such as to_regclass, privileges
changes/      the closed union of changes, and the pure function from a state and changes to the next state
durable/      states as rows of the catalog's shard, and back; the states over time, for reads AS OF
builtin/      the contents of system relations: pg_catalog, information_schema, mz_catalog, mz_internal
sql/          the SQL that would make an item as it is now
facts/        what can be told of a state: visible names, defaults, constraints, comments
declared/     system relations without their contents
state/        one version of the catalog, with its indexes by name and by oid; GlobalIds and oids, never given twice
nouns/        identifiers; databases, schemas, roles, and items (tables, views, indexes) as data

Nothing here does I/O; the coordinator appends what `durable` gives it in a group commit, under the timeline's fence.
"""
