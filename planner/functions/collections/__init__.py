"""Functions of arrays, lists, maps and ranges."""
