"""Drivers of sinks, one file a destination."""
