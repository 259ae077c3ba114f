"""Indexes and materialized views: the dataflows that keep them, from the catalog's word to the controller's.

description    a maintained item as a dataflow: imports, objects, exports
as_of          from when it is to be readable; pure
dataflows      what is installed: holds on inputs, how much of the past is kept, what is dropped
statuses       how they are, for system relations; arrangements: what theirs hold, in EXPLAIN's words
commits        what CREATE, DROP and ALTER of a transaction mean at its COMMIT
rebuilding     new collections built before a replacement cuts over to them
access         which index answers a query, and with which keys; arranged_query: which views it reads from theirs; pure
index_reading  rows by an index, or that it gives way
collections    what statements read, tables and materialized views alike: holds, frontiers, imports
"""
