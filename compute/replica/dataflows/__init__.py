"""Dataflows, run: fed from shards, ticked, written to where they are exported, kept, retried. Nothing here knows Spark
but what is named so.

dataflows    all of a replica, by number: carries out what the state machine says
runner       one dataflow's life; opening says from which state, or time, it goes on
watch        how far the collections are complete that dataflows read
maintained   what computes a dataflow, as its runner sees it
  direct       nothing to compute: an index on a table
  together     ticks of small dataflows, a round of Spark for several
  kept         the arrangements that survive the process, and checkpoints: when they are made
outputs      what is to be computed for the exports; fallible: collections that hold errors as rows
exports      a sink for each export, and what a tick does with it
  index_sink, index, index_key, index_peeks, finishing     arranged rows, found by key or read as a whole
  error_log                                                the errors of an export, arranged
  shard_sink, shard_writer, advances, difference           a materialized view's shard, and how it is corrected
  shard_commits                                            writes of many views in one step
  subscribe_sink, tick_updates                             updates on their way to a client
reporter     frontiers, statuses and measures, as often as the environment can use them; tick_log: how long ticks were
places       what all share: consensus, blob, the fence, time, threads
"""
