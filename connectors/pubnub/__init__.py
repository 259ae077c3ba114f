"""Reads messages of a PubNub channel, by PubNub's subscribe API over HTTP.

channel        the place of a source: a channel
connector      describes PubNub as a source
http_client    sends requests to PubNub over one connection, one after another; another thread may interrupt them
protocol       encodes requests of PubNub's subscribe API, and decodes answers
pubnub_reader  listens to a PubNub channel in a separate thread
"""
