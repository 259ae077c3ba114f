"""MySQL and MariaDB: how a connection's options become a session with a server.

connections  sessions with a server of MySQL's or MariaDB's, all alike whatever the server's defaults are
settings     a connection's options as settings of a session
"""
