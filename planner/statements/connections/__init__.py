"""Statements about secrets and connections."""
