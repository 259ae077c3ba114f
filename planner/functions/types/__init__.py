"""Functions of types that users define, of records, of addresses, and the binary forms of types.

composites         fields of records: the planner writes the calls, with the types of the fields that it knows
domains            what a cast to a domain checks: that there is a value, that its constraints hold
enums              enumerated types: first and last labels, ranges of them, and reading them from text
mac_address        macaddr and macaddr8: casts between them, their bits, the manufacturer's part
network            inet and cidr: parts of addresses, containment, bits, arithmetic
record_comparison  records compared column by column: what = and < do when two records differ in their shapes
sends              the functions that write values for the binary format (pg_type.typsend)
"""
