"""Records of a stream of Amazon Kinesis, shard by shard.

connector  describes Kinesis as a source
reader     reads a Kinesis stream ahead in a thread of its own
records    records of Kinesis as a table
shards     decides which shards of a stream to read: those that have begun and not ended, by their bounds
stream     the place of a source: a stream
"""
