"""Decides the rights of roles, without I/O.

securables    objects with privileges: kind, owner, access control list; defaults where nobody has granted anything
decide        may a role do this with an object, and PostgreSQL's error where it may not
default_acls  lists of objects to come
row_security  whom row security binds, and by which policies
predefined    PostgreSQL's own roles
shown_acls    roles and lists as system relations show them
"""
