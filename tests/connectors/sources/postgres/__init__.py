"""Tables of a PostgreSQL server, followed: the real server says what is right."""
