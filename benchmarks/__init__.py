"""Headwater measured, and other engines beside it, all in one run, on the machine at hand.

    python -m benchmarks [--size small] [--only SECTION …] [--peers WORD …] [--changes N] [--bases N …] …

sections, sizes      what is measured, and how much of it
report               a table for people, JSON for later (benchmarks/results/)
server, loading      the servers that are measured, as processes; how rows come into them
workloads, grouping, transfers                          W1, W2 and W3
deltas, freshness, many_views, point_reads, restart, maintenance    views that keep themselves
by_tasks/            large views by tasks of Spark
sources/             Kafka, Kinesis, PostgreSQL and files as sources
clusters/            several replicas, servers that follow each other, backups
nexmark/             the suite's events and questions, answers held against DuckDB's
peers/               other engines on W1 and W2
neighbours           the nearest of many vectors
ad_hoc               queries of small tables that no index answers
keyed_writes, bank   rows changed by key, alone and in pgbench's transactions
basics, round_trips, writes, copying, aggregates        the main path
over_http            SQL over HTTP and WebSockets beside pgwire, scrapes, cold pages of the console
planning             from text to plan, without a server
soak, leveling       half an hour at a steady rate: python -m benchmarks.soak
"""
