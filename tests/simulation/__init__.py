"""Deterministic simulation: whole environments in one process, one seed, virtual time, faulty places.

virtual_time   an event loop that never waits
places         the disk that all incarnations share, and what each of them sees of it
incarnation    one environment's life on the places, with the interpreter in Spark's stead; its clients
workload       bank, ring and log: what clients do, and what they observed
checkers       what no observation may show
planted        bugs put in on purpose, to prove that the checkers see
transactions   another workload: explicit transactions beside DDL, with its own checks and planted bugs
appending      another: lists that are appended to and read whole, whose history has an order, with its own too
contention     another: due rows, locks in opposite order, savepoints, keys, with its own too
clock          another: a wall clock that jumps, a process that is stopped
leading        another: servers that stand by and lead by turns
reclocking     another: sources over an upstream in memory, with its own checks and planted bugs
sharing        another: views of equal queries, which share dataflows, with its own checks and planted bugs
clusters       another: clusters of several replicas, moves between them, with its own planted bugs
cluster_hosts  their replicas, each with a disk and links of its own
outliving      a replica with a disk, which outlives environments and dies at any step
kept_interpreted  what it runs: dataflows that the interpreter computes, and that are kept
compacting     compaction that never rests, beside any of them
run            one seed from beginning to end
"""
