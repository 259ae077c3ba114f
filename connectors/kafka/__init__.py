"""Brokers of Kafka: clients' settings, tests of connections, and topics' ids, for sources and sinks.

identity  asks brokers for a topic's id, which tells a topic from one created later under the same name
probe     tests whether brokers answer, by a request for their metadata with a time limit
"""
