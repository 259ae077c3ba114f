"""Tests of planner/query: the corpus of queries, and random ones."""
