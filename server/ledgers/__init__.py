"""Books that the environment keeps, each without knowledge of statements.

committed_catalog   the newest committed catalog, its history, and changes on their way into a group commit
audit_log           events of changes of the catalog
counting/           positions of sequences
locks               locks between sessions, in memory
notifications       the listeners of each channel, and messages that wait
conflicts           the modes of locks that exclude each other
row_keys            keys by which rows are locked
prepared            prepared transactions
kept_identities     a durable form of the keys of rows
samples             lags, statistics and replicas, each minute of the past hour
scheduled           rows that wait for a time to come
backups             backups under way, and how the last ones ended
read_holds          named read holds on their way through a commit
own_writes          a transaction's own writes, added to the rows of its reads
conditions          conditions of sources and sinks, as the replica reports
index_uses          the time of the last read of each index, and reads that one would have answered
replica_rows        the replicas' state as rows, from the controller
row_text            tables and rows in errors
pieces              pieces of a file that tasks write in the place of an answer's rows
server_access       whether statements may reach the machine's files and programs
statement_log       the newest statements, with their times and outcomes
statement_statistics  counts and durations of statements that are alike
measures            counts of statements and their durations
clock_watch         says so when the wall clock has jumped
unfinished_paths    files that statements have begun on this machine
unfinished_uploads  uploads that COPY has begun in buckets
"""
