"""Maintained dataflows: what is kept, what is done for a change, and the tick that does it.

plan        which segments (linear, Spark) and steps (stateful, kernels) a relation becomes
dataflow    one tick over given changes; no sockets, no consensus, no clock
"""
