"""The replica process: one SparkSession, at the service of one environment at a time.

state       the whole protocol as a pure state machine: events in, instructions out
reconcile   what of the running dataflows a new environment can go on with
worker      peeks as threads on Spark: several at once, each can be stopped
inputs      a shard's snapshot as a DataFrame
collect     a DataFrame's rows as Arrow batches, in order, in bounded memory
peeks       one peek from end to end: snapshots, inputs, plan, rows
server      the socket, and the loop that carries out instructions
main        the process: options, Spark, server
"""
