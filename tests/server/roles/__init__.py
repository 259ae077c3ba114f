"""Roles and what they may do, tried on a whole server."""
