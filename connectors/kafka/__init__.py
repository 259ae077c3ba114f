"""Kafka: reads and writes topics, and asks brokers about topics.

connector          describes the system
destination        describes to a replica the topic of a sink
driver             writes a topic: each transaction is one of Kafka's, with how far the sink is in it
identity           asks brokers for a topic's id, which tells a topic from one created later under the same name
message_encoding   encodes documents as messages, in the formats that the sink names
probe              tests whether brokers answer, by a request for their metadata with a time limit
registered_schema  registers the schemas of messages in a schema registry
settings           turns a connection's options into librdkafka's settings
topic              the place of a source: a topic
source/            reads topics: a partition's bound is an offset
"""
