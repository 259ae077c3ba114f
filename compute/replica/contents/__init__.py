"""The contents of shards at a time.

own_contents    contents with the updates of the transaction that asks
shard_contents  contents, split by how each part is best read
kept_contents   contents of the last read, brought up to now
narrow_parts    parts written before columns of numerics became wide, read as if written after
narrowing       which rows a statement can need
part_ranges     which parts can have no row within a statement's bounds
parts           parts as files that Spark can open
inputs          contents as a DataFrame
fallible        collections that hold errors as rows
held_counts     how often each row is there, so that no write takes one that is not
difference      the updates that lead from one content to another
"""
