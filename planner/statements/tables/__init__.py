"""Statements that define tables and sequences, and change their definitions."""
