"""The environment's side of compute. No pyspark here: the environment has no JVM.

link         what connects to a replica, and what finds or starts one, as Protocols
process      a replica as a child process that outlives the environment; its record in the data directory
address      a replica that somebody else started
pending      one peek that is under way; peeks: all of them
lookups      lookups of indexes that are asked together
dataflows    what is known of dataflows, and asked of them: frontiers, holds, statuses
subscription subscribes that are under way
replica_status   what is known of the replica, for people
controller   keeps a replica connected, told and asked; nothing hangs on it
"""
