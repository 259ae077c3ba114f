"""Functions that return rows."""
