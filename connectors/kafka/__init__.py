"""Brokers of Kafka: clients' settings, tests of connections, and topics' ids, for sources and sinks."""
