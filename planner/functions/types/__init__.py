"""Functions of types that users define, of records, of addresses, and the binary forms of types."""
