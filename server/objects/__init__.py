"""Shards and dataflows of what users define.

maintained/  indexes and materialized views
sources/     ingestions of sources
replicas     the processes of replicas
sinks/       deliveries of sinks
"""
