"""Kafka's topics as sources: a partition's bound is an offset."""
