"""Functions that return rows.

json    rows of json and jsonb, and of matches of patterns
series  functions that return rows: generate_series, generate_subscripts, unnest, and cutting text into rows
system  rows about the system: those that clients ask for in functions rather than in relations
"""
