"""Functions of windows: places in a group of rows, and what frames compute with."""
