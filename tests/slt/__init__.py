"""SQL with answers recorded from PostgreSQL 16, in sqllogictest's form."""
