"""Shards: durable collections of updates, in two places (consensus for state, blob for parts).

location      the Protocols of the two places
sqlite, files, postgres, s3, open    implementations, and choosing one by its address (tests have others)
state         what consensus records of a shard; transition: how it changes; version: as bytes
batch         updates as Arrow IPC payloads and Parquet parts; consolidate: summing diffs of equal rows
shard         one shard's state in memory and prepared writes; commit: many prepared writes, one compare-and-set
snapshot      reading a shard at a time, or between two times
write         staging parts ahead of the append that names them
compact, gc   folding small batches, deleting what nothing names; bucket, spill: compacting more than memory holds
retry         asking consensus again
runner        where heavy work runs: a thread, or inline in the simulation
held          finds rows that updates retract although the collection does not hold them
hash_counts   counts of rows by their hash, in bounded memory
large_blocks  returns freed memory to the operating system
row_hash      a 64-bit hash of a row's stored values, the same in every process
"""
