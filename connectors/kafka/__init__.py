"""Brokers of Kafka, as sources and sinks reach them."""
