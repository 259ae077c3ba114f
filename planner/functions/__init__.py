"""Functions, operators, casts, aggregates and table functions: one row each, in a table.

signature   what a row says; families (one file each) list rows; registry   finds rows by name or key
"""
