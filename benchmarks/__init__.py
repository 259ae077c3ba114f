"""Measurements of Headwater, beside Spark alone and PostgreSQL: python -m benchmarks runs them all."""
