"""MySQL and MariaDB: how a connection's options become a session with a server."""
