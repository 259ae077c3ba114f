"""Sinks as the replica runs them: the runtime of the materialization protocol.

driver_thread     runs a driver in a thread of its own: a hanging driver holds up its sink alone
input_updates     the input of a sink's transaction: taken up piece by piece, then cut into portions
key_ranges        ranges of keys: a sink with several has a session with the destination for each
open_transaction  a sink's open transaction: read as changes come, while the transaction before commits
sessions          a sink's sessions with its destination: one for each range of keys, all asked alike and at once
sink_documents    stores a sink's documents in its destination, and undoes parts of what never ended
sink_log          a sink's recovery log, written by the replica: one compare-and-append a transaction, under the fence
sink_runner       runs one sink: opens it at the destination's frontier, then makes one transaction after the other
unique_keys       finds the times at which a key of a sink's input is not unique
"""
