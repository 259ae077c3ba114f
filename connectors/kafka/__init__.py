"""Kafka: topics that are read and written, and what both need of its brokers.

driver    writes a topic: each transaction is one of Kafka's, with how far the sink is in it
identity  asks brokers for a topic's id, which tells a topic from one created later under the same name
probe     tests whether brokers answer, by a request for their metadata with a time limit
settings  turns a connection's options into librdkafka's settings
source/   reads topics: a partition's bound is an offset
"""
