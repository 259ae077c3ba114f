"""The parts shared by all sources: records of other systems, and the times given to records here (source: seed 3).

binding_time          chooses the time of a binding
decode/               turns records into rows, one file for each format
description           the description of a source that a replica gets
open_members          opens the reader of an ingestion
past_transactions     finds the transactions that ended before a source began
read_ahead            reads an upstream ahead in a separate thread: the shell of a reader
remap                 the remap collection: the bounds of upstream's records at each time
spilled               keeps changes in files of the process when memory is too small
transactional_reader  reads several topics as one, a whole transaction at a time, as `TransactionOrder` decides
transactions          decides which records of several topics make whole transactions
"""
