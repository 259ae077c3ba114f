"""Arrangements: updates sorted by the hash of their key in immutable batches, so that a key is found without a scan.

layout       which columns an arrangement has
arrangement  insert, seal, discard, look up, read as of a time
spine        which batches are merged, and when; merge does one, a step at a time
stream       several batches as one stream of sorted, consolidated chunks of bounded rows
sorting      one chunk sorted and consolidated; row_hash and equality say when rows are one
batch        a sorted run of blocks; search finds probes in them, prefix their first rows, key_prefix how keys begin
batch_file   a batch as an Arrow IPC file, mapped into memory; disk is all that touches a file system
manifest     which files make up a dataflow's state; checkpoint writes and opens it

Neither Spark nor sockets nor clocks: numpy, pyarrow and files.
"""
