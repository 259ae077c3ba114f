"""Tests of Kafka as a source."""
