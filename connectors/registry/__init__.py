"""Schema registries: requests to a registry, and the schemas that a registry returns.

answers    sends requests to a Confluent schema registry over HTTP, and reads the answers
connector  describes the connection
place      the address of a schema registry in a description for a replica: plain data, without the values of secrets
schemas    fetches and registers schemas, by number or by subject
"""
