"""Reads messages of a PubNub channel, by its subscribe API over HTTP.

http_client  sends requests to PubNub over one connection, one after another; another thread may interrupt them
protocol     encodes requests of PubNub's subscribe API, and decodes its answers
reader       listens to a PubNub channel in a thread of its own
"""
