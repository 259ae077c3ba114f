"""Redis and Valkey: how a connection's options become a session with a server.

connections  sessions with a server that speaks Redis's protocol: one connection each, which ends at the first failure
settings     a connection's options as settings of a session
"""
