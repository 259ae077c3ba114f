"""The names of the tables that hold the large objects of a database.

They are ordinary items in a schema of their own, which no user can name so, from the first large object on. The
pages go by PostgreSQL's name, too, where pg_catalog shows a system relation without rows before that.
"""

from __future__ import annotations

from planner.catalog_view import LARGE_OBJECTS

SCHEMA = LARGE_OBJECTS
PAGES = "pg_largeobject"
OBJECTS = "stored_large_objects"


def stands_for(schema: str, name: str) -> bool:
    """Tells whether a name of a system relation is that of an item, where the database has it."""
    return schema == "pg_catalog" and name == PAGES
