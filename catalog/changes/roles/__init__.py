"""Changes of roles, memberships, owners and privileges; and which changes of the catalog a role may make."""
