"""Sinks in statements and commits: recovery logs, and the deliveries that write them.

places  the replica's description of a sink's destination: the connections' options, with ids for secrets
"""
