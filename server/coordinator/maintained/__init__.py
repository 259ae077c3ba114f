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
behind         reads by key from an index that lags
joined_access  finds the index for a statement whose rows are determined by rows already known
known_rows     keeps rows that an index returned for one key, to answer for the key again
maintainable   checks whether new items can be maintained, and how
redefined      handles DDL that changes the meaning of a definition without touching it
resuming       at start: sources, sinks and maintained items are installed again
"""
