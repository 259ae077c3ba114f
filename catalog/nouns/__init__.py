"""The things that a catalog holds, as data.

names           identifiers as PostgreSQL holds them
items           databases, schemas, roles, and tables, views, indexes and other items
connections     secrets and connections
sources         sources: the place of the records, and the rows made from records
sinks           sinks: the collection written, and the destination
webhooks        webhook sources
clusters        clusters and their replicas
system_schemas  the schemas that every database has
policies        policies, and the row security of a table
reference       names in kept SQL, bound to the objects that they named
index_names     names that PostgreSQL makes up for indexes and constraints
derived_oids    oids of objects without a stored oid
notices         messages to the client beside a statement's answer
acl          access control lists, PostgreSQL's `aclitem[]`
memberships  memberships of roles
"""
