"""The environment's side of compute. No pyspark: the environment has no JVM.

link         a connection to a replica, and the host that finds or starts a replica, as Protocols
process      a replica as a child process that outlives the environment; its record in the data directory
address      a replica that somebody else started
pending      one peek under way; peeks: all peeks
lookups      lookups of indexes that are asked together
connection   the connection to one replica, kept up
siblings     tells replicas where each keeps states
standing     whether the replica that leads stands still
asked        the replicas of a cluster as peeks ask them
replication  what each of several replicas does, and what is told of what they all say
dataflows    dataflows created, scheduled, held, compacted and dropped
arrivals     exports on their way into another cluster
exports      their exports and clusters, as they are known; progress: waiting for exports; reports: statuses, measures
subscription subscribes under way
replica_values   what a replica's options may be, wherever they are written
replica_status   the state of the replica, for people
controller   passes commands to the replicas of a cluster, and their responses to those who wait; nothing hangs on it
clusters     a controller for each cluster
"""
