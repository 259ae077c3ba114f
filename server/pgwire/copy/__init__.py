"""COPY's three formats, in and out.

options                              what WITH (…) says, checked as PostgreSQL does
lines                                text and csv: bytes to whole lines, across chunks
blocks                               many plain lines at once, read by Arrow
line_decoder                         what text_in and csv_in have in common
text_in, csv_in, binary_in, rows_in  bytes to rows, with PostgreSQL's errors and their contexts
records                              records in order, their counts, the header
copied_columns                       fields to datums, a column at a time
rows_out                             rows to each format
"""
