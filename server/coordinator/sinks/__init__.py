"""Sinks in statements and commits: recovery logs, and the deliveries that write them."""
