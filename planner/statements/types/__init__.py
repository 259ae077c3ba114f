"""Statements that define types: domains, enumerations, composites."""
