"""Sources: reading from other systems, and assigning records to times of this server (source: seed 3).

gauge          how far a kind of source has come: a whole number for each partition remap          the remap collection:
which numbers belong to which time; pure description    what a replica is told of a source transactions   which records
of several topics make whole transactions; pure upstream       what a kind of source has to be able to do; one folder
for each kind decode         records to rows, one file for each format kafka/         topics of Kafka generators/
load generators, by arithmetic
binding_time          chooses the time of a binding
files/                files as sources: a file is a partition, and its gauge is a byte offset
kinesis/              records of a stream of Amazon Kinesis, shard by shard
open_members          opens the reader of an ingestion
open_upstream         opens upstreams by the kind of their place: the only list of kinds
past_transactions     finds the transactions that ended before a source began
postgres/             PostgreSQL as an upstream: tables of a publication, copied once, then followed
pubnub/               reads messages of a PubNub channel, by its subscribe API over HTTP
spilled               keeps changes that are too many for memory in files of this process
transactional_reader  reads several topics as one, a whole transaction at a time, as `TransactionOrder` decides
"""
