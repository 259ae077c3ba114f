"""Indexes and materialized views: the dataflows that keep them, from the catalog's word to the controller's.

description    a maintained item as a dataflow: imports, objects, exports
as_of          from when it is to be readable; pure
dataflows      what is installed: holds on inputs, how much of the past is kept, what is dropped
commits        what CREATE, DROP and ALTER of a transaction mean at its COMMIT
rebuilding     new collections built before a replacement cuts over to them
access         which index answers a query, and with which keys; pure
collections    what statements read, tables and materialized views alike: holds, frontiers, imports
"""
