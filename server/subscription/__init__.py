"""SUBSCRIBE: sends changes of a relation to one client at the client's pace.

subscription   a SUBSCRIBE under way: events in, complete timestamps out, through a buffer
buffer, spill  (and limits) updates that wait for the client: bounded in memory, then in files, then an error
envelopes      the updates of complete timestamps, in the statement's ENVELOPE; pure
rows           enveloped updates as the client's rows
sources        the origin of events: a shard, a dataflow, the interpreter
observed       the source for system relations, read again and again
"""
