"""The contents of pg_catalog, a file for each family of relations."""
