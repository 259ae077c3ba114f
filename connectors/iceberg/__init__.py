"""Apache Iceberg: tables that are written.

commits    makes the commits that pyiceberg makes in another way
connector  describes the system
driver     writes a table in a directory of the server
table      a table that a sink writes, as the replica is told of it
"""
