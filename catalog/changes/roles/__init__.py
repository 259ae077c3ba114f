"""Changes of roles, memberships, owners and privileges; and which changes of the catalog a role may make.

applying         the state after one change of roles, memberships, owners or privileges; with PostgreSQL's errors
changes_allowed  decides whether a role may change the catalog
role_changes     changes of roles, memberships, owners and privileges: a part of the closed union in `catalog.changes`
"""
