"""Kafka topics as sources: a partition's gauge is its offset."""
