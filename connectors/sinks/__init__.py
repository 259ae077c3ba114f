"""Sinks: collections written to other systems by the materialization protocol (source: seed 1).

messages       what a runtime and a driver say to each other
ordering       who may say what when, without I/O
driver         what a driver is
recovery_log   how far a sink is, durably, and what its driver remembers
documents      updates as documents: one a key
drivers/       one file a destination
"""
