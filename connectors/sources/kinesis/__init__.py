"""Records of a stream of Amazon Kinesis, shard by shard."""
