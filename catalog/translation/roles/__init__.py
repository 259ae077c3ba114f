"""Statements about roles, memberships, owners and privileges to changes, with PostgreSQL's errors about who may."""
