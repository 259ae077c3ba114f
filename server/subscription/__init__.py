"""SUBSCRIBE: sends changes of a relation to one client at the client's pace.

subscription   one of them: events in, complete timestamps out, through a buffer
buffer, spill  (and limits) what waits for the reader: bounded in memory, then in files, then an error
envelopes      the updates of complete timestamps as the statement wants to see them; pure
rows           these as the client's rows
sources        where the events come from: a shard, a dataflow, the interpreter
observed       (one of these) system relations, looked at again and again
"""
