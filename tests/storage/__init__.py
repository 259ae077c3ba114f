"""Tests of storage: laws of the places, of shards, and of the seed's commands."""
