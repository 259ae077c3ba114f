"""The things that a catalog holds, as data.

names           identifiers as PostgreSQL holds them
items           databases, schemas, roles, and tables, views, indexes and other items
connections     secrets and connections
sources         where a source's records are, and what rows become of them
sinks           what a sink writes, and where to
webhooks        webhook sources
system_schemas  the schemas that every database has
policies        policies, and the row security of a table
index_names     names that PostgreSQL makes up for indexes and constraints
derived_oids    oids of what has none of its own
notices         what a statement tells its client beside its answer
acl          access control lists, PostgreSQL's `aclitem[]`
memberships  memberships of roles
"""
