"""Delta Lake: tables that are written.

connector  describes the system
driver     writes a table in a directory of the server, or in a bucket
table      a table that a sink writes, as the replica is told of it
"""
