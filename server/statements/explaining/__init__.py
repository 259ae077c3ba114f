"""EXPLAIN.

explain             the door
analyze             what a statement did that was run
told_plan           text and JSON
explain_physical    how a query is read
explain_maintained  how a view is kept
explain_ticks       how long a view's ticks took, and what is kept for it
explain_sink        how a sink writes
explain_timestamp   when a query reads
"""
