"""COPY's three formats, in and out.

options   what WITH (…) says, checked as PostgreSQL does
lines     text and csv: bytes to lines and records, across chunks
text_in, csv_in, binary_in   records to rows, with PostgreSQL's errors and their contexts
columns   fields to datums, a column at a time
out       rows to each format
"""
