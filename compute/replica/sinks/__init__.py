"""Sinks as the replica runs them: the runtime of the materialization protocol."""
