"""Schema registries: requests to a registry, and the schemas that a registry returns."""
