"""Files as sources: a file is a partition, and its gauge is a byte offset."""
