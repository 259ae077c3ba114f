"""Sources: reading from other systems, and assigning records to times of this server (source: seed 3).

gauge          how far a kind of source has come: a whole number for each partition remap          the remap collection:
which numbers belong to which time; pure description    what a replica is told of a source transactions   which records
of several topics make whole transactions; pure upstream       what a kind of source has to be able to do; one folder
for each kind decode         records to rows, one file for each format kafka/         topics of Kafka generators/
load generators, by arithmetic
"""
