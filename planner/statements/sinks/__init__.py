"""Statements about sinks.

alter_sink    ALTER SINK
create_sink   CREATE SINK: what it writes, and where
destinations  INTO …: where a sink writes to, by the kind of destination
"""
