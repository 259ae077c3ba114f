"""Shards and dataflows of what users define.

maintained/  indexes and materialized views
sources/     ingestions of sources
sinks/       deliveries of sinks
"""
