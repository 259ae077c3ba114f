"""Headwater measured beside PostgreSQL and bare Spark, all in one run, on the machine at hand.

    python -m benchmarks [--rows 10000000] [--seconds 5] [--only NAME …]

report     a table for people, JSON for later (benchmarks/results/)
server     the servers that are measured, as processes
round_trips, writes, copying, aggregates, starting, memory     one measurement family a file
"""
