"""The catalog: a time-varying collection of definitions, each version of which is an immutable CatalogState.

Its folders, from top to bottom; each imports only those below it:

translation/  plans of statements that define things, as changes and notices; the entry is `statements`
lookup/       answers to statements' questions: the planner's view, functions such as to_regclass, privileges
changes/      the closed union of changes, and the pure function from a state and changes to the next state
durable/      states as rows of the catalog's shard, and back; the states over time, for reads AS OF
builtin/      the contents of system relations: pg_catalog, information_schema, mz_catalog, mz_internal
sql/          items as the SQL statements that would create them
facts/        facts derived from a state: visible names, defaults, constraints, comments
declared/     system relations without their contents
state/        one version of the catalog, with its indexes by name and by oid; GlobalIds and oids, never given twice
nouns/        identifiers; databases, schemas, roles, and items (tables, views, indexes) as data

Nothing here does I/O; the coordinator appends the rows that `durable` returns, in a group commit,
under the timeline's fence.
"""
