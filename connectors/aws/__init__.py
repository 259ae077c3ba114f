"""Clients of Amazon's services, or of services that speak their protocols, made from a connection's options.

clients    makes clients of Amazon's services, and tests whether the services accept the keys
connector  describes the connection
settings   turns the options of an AWS connection into settings of a client
uploads    uploads of objects in parts that are not going to be completed
"""
