"""Functions about the system: the catalog, settings, sequences, and calls that the server alone can make."""
