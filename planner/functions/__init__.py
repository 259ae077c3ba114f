"""Functions, operators, casts, aggregates and table functions: one row each, in a table.

signature   what a row says; a folder has the families of one kind, one file each, which list rows
registry    finds rows by name or key
"""
