"""Streams of Kinesis."""
