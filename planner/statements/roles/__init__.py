"""Statements about roles, memberships, owners and privileges.

grants      GRANT and REVOKE of roles and of privileges, ALTER DEFAULT PRIVILEGES
role_names  roles as statements name them
"""
