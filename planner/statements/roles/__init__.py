"""Statements about roles, memberships, owners and privileges."""
