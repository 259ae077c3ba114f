"""The catalog's laws."""
