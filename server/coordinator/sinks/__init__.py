"""Sinks as statements and commits have them: their recovery logs, and the deliveries that write these."""
