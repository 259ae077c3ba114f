"""Shards and dataflows of what users define.

maintained/  indexes and materialized views
sources/     ingestions of sources
replicas     the processes of replicas
standby_holds  holds what standbys read beside the leader
sinks/       deliveries of sinks
"""
