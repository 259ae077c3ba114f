"""Indexes and materialized views: from the catalog to the controller's dataflows.

description    a maintained item as a dataflow: imports, objects, exports
as_of          chooses the time from which an item is readable; pure
dataflows      installed dataflows: holds on inputs, retention, drops
statuses       their statuses, for system relations; arrangements: their contents, in EXPLAIN's words
commits        CREATE, DROP and ALTER of a transaction at its COMMIT
rebuilding     builds new collections before a replacement cuts over to them
access         finds the index for a query, and its keys; arranged_query: the views read from indexes; pure
index_reading  reads rows by an index, or gives way
collections    the collections of statements, tables and materialized views alike: holds, frontiers, imports
"""
