"""The replica process: one SparkSession, at the service of one environment at a time.

From top to bottom; a room imports only those below it:

process/     the command line, Spark, the socket, and the loop that carries out instructions
peeks/       one peek from end to end: snapshots, inputs, plan, rows
tasks/       the whole protocol as a pure state machine; all dataflows, ingestions and sinks by number
sinks/       the runtime of the materialization protocol
dataflows/   plans kept up to date: ticks, arrangements, checkpoints, exports
ingestions/  sources: read from upstream, bound to a time, written
contents/    the contents of shards at a time, as rows, files and DataFrames
running/     shared by all of them: places, frontiers, writes under the fence, work inside Java
"""
