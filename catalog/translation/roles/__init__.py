"""Statements about roles, memberships, owners and privileges to changes, with PostgreSQL's errors about who may.

grants          GRANT and REVOKE of privileges to changes of access control lists; ALTER DEFAULT PRIVILEGES
named           roles that statements name, and the rights to change them
translate_role  finds the translator of each statement about roles
"""
