"""Values on the wire, in text and binary format.

dispatch     sender and receiver of a type in a format
numbers, strings, times, containers   PostgreSQL's send and receive functions, by family
data_rows    batches of rows as DataRow messages
"""
