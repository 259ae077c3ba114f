"""Kafka's topics as sources: a partition's bound is an offset.

consumer          the interfaces of librdkafka that a topic's reader uses
partition_list    asks which partitions a topic has
partition_reader  reads one partition of a topic in the thread that takes records, with little read ahead
reader            a Kafka topic, read ahead by a thread of its own: librdkafka's consumer behind `UpstreamReader`
records           messages of librdkafka as a table of records
topic_reading     reads a Kafka topic ahead with a consumer of librdkafka, step by step
"""
