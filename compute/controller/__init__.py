"""The environment's side of compute. No pyspark: the environment has no JVM.

link         a connection to a replica, and the host that finds or starts a replica, as Protocols
process      a replica as a child process that outlives the environment; its record in the data directory
address      a replica that somebody else started
pending      one peek under way; peeks: all peeks
lookups      lookups of indexes that are asked together
dataflows    frontiers, holds and statuses of dataflows
subscription subscribes under way
replica_status   the state of the replica, for people
controller   keeps a replica connected, and passes commands and responses; nothing hangs on it
"""
