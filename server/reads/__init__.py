"""A query's rows at one timestamp.

reading        the door
answers        the choice of who answers a query
read_point     holds taken, the timestamp chosen, inputs waited for
later_reads    when a transaction that goes on to write may read later than before
source_reads   how far sources have to be for a read
index_reading  rows from an index
behind         how far an index is behind its table
keys_read      by which keys a query reads tables
joined_access  joins through indexes
projection     nextval and its kin in a query's columns
repeating      reads that COMMIT repeats
parameters     parameters of domains
"""
