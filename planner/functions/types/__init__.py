"""Functions of users' types, records and addresses, and the binary forms of types.

composites         fields of records, in calls written by the planner with the fields' types
distances          distances of vectors, many at once
domains            the checks of a cast to a domain: NOT NULL and constraints
enums              enumerated types: first and last labels, ranges of labels, and reading labels from text
embeddings         vector: distances, arithmetic, casts, sum and avg
money              money: arithmetic, casts, words
mac_address        macaddr and macaddr8: casts between them, their bits, the manufacturer's part
network            inet and cidr: parts of addresses, containment, bits, arithmetic
record_comparison  records compared column by column, also records of different shapes
row_version        a number that tells versions of a row apart, for xmin
sends              the functions that write values for the binary format (pg_type.typsend)
"""
