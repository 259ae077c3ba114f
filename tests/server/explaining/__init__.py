"""EXPLAIN ANALYZE, in memory and on Spark."""
