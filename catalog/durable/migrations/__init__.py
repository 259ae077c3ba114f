"""Older forms of the catalog's rows to the present one, a step a version.

roles      from version 1, with one superuser and no privileges, to version 2
clusters   from version 2, without clusters, to version 3
row_texts  rows of the catalog: a kind, a key, and a value as jsonb in PostgreSQL's canonical text
steps      brings rows written by an older Headwater to the present form, in memory
"""
