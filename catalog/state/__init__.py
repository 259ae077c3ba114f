"""One version of the catalog, and the same with one object other.

catalog_state  CatalogState, with its indexes by name and by oid
edits          a state with one object more, other, or fewer; nothing is checked
allocate       GlobalIds and oids, never given twice
left_slots     replication slots that dropped sources have left upstream
"""
