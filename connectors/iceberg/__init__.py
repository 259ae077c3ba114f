"""Apache Iceberg: tables that are written.

commits  makes the commits that pyiceberg makes in another way
driver   writes a table in a directory of the server
"""
