"""A sink for each export of a dataflow.

export_sinks    gives each export its sink
index_sink      an index: arranged rows
index           rows found by key, or read as a whole
index_key       the key of an index as it is compared
error_log       the errors of an export, arranged
shard_sink      a materialized view's shard; shard_rows: its rows as tasks write them
shard_follower  a view beside the shard that another writes, until it may
subscribe_sink  updates on their way to a client
tick_updates    the updates of one tick
"""
