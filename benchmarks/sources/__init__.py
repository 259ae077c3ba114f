"""Sources, measured: how fast records come in, beside clients that only read them.

kafka     topics with one and with many partitions, in each format
kinesis   a stream of several shards
postgres  a first copy, the stream after it, commit to visible
files     CSV, JSON and Parquet from files and from a bucket
"""
