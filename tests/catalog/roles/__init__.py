"""Laws of access control lists and of memberships."""
