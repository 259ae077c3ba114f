"""Statements about sinks."""
