"""Reads messages of a PubNub channel, by its subscribe API over HTTP."""
