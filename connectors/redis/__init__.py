"""Redis and Valkey: hashes and streams that are written.

redis_connections  opens sessions with a server: one connection each, which ends at the first failure
connector          describes the system
driver             writes hashes or a stream of a server
keys               the keys that a sink writes, as the replica is told of them
pieces             cuts documents into pieces, which scripts in the server take apart; and holds the scripts
settings           turns a connection's options into settings of a session
"""
