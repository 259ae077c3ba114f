"""Dataflows at work: fed from shards, ticked, written to their exports, kept, retried. Only modules named for Spark
know Spark.

  dataflows    all dataflows of a replica, by number: carries out the state machine's instructions
  runner       one dataflow's life; opening finds the state, or the time, to go on from
  watch        follows how far the dataflows' inputs are complete
  maintained   the computation of a dataflow, as its runner sees it
    direct       no computation: an index on a table
    together     ticks of small dataflows, a round of Spark for several
    kept         arrangements that survive the process; checkpoints: when they are made
  outputs      finds the outputs to compute for the exports; fallible: collections that hold errors as rows
  exports      a sink for each export, filled by ticks
    index_sink, index, index_key, index_peeks, finishing     arranged rows, found by key or read as a whole
    error_log                                                the errors of an export, arranged
    shard_sink, shard_writer, advances, difference           a materialized view's shard, and its correction
    shard_commits                                            writes of many views in one step
    subscribe_sink, tick_updates                             updates on their way to a client
  reporter     frontiers, statuses and measures, as often as the environment can use them; tick_log: durations of ticks
  places       shared by all dataflows: consensus, blob, the fence, time, threads
"""
