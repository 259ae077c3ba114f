"""Registries of schemas, as sources and sinks ask them."""
