"""The replica process: one SparkSession, at the service of one environment at a time.

state       the whole protocol as a pure state machine: events in, instructions out
reconcile   what of the running dataflows a new environment can go on with
contents    what a shard holds at a time, split by how it is best read
parts       a shard's parts as files that Spark can open
inputs      a shard's contents as a DataFrame
arranged    an index's rows as a DataFrame
worker      work on Spark in threads: several pieces at once, each can be stopped
supervision ends what is wanted no more inside Java, and leaves alone, and tells, what does not end
standstill  how long a call of Java takes, in the processor's time; java_calls: the threads there
cache       the most recently used values
failures    what went wrong on Spark, in PostgreSQL's fields
peeks       one peek from end to end: snapshots, inputs, plan, rows
server      the socket, and the loop that carries out instructions
main        the process: options, Spark, server
"""
