"""Writes indices of OpenSearch, by the bulk API.

answers    the answers of OpenSearch, as far as they are read
client     sends requests to OpenSearch over HTTP, and reads the answers
connector  describes the system
documents  turns documents into items of the bulk API
driver     writes documents of an index; each carries the time of its transaction as version
index      describes to a replica the index of a sink
"""
