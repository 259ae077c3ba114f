"""Older forms of the catalog's rows to the present one, a step a version."""
