"""Files: read as sources, and written by sinks, in directories of the server and in buckets.

bucket       objects of a bucket: uploaded in invisible parts, and completed once the log names the object
bucket_name  reads the clauses that name a bucket
connector    describes the system
directory    files in a directory of the server: written under hidden names, and renamed once the log names the file
driver       writes files of changes, each visible only when complete
objects      describes to a replica the bucket objects of a sink
source/      reads files: a file is a partition, and its gauge is a byte offset
store        the interface of a store of files of changes
writer       writes one file of changes, in a format that other programs read
"""
