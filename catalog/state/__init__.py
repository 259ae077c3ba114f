"""Versions of the catalog, and edits of one object.

catalog_state  CatalogState, with indexes by name and by oid
edits          adds, replaces or removes one object of a state, unchecked
allocate       GlobalIds and oids, never given twice
left_slots     replication slots that dropped sources have left upstream
"""
