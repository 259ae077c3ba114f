"""The environment's heart: holds catalog, storage, timeline and compute together.

environment   all parts, and the tasks that run them; bootstrap makes an environment, in the order that safety needs
execution     one execution of one statement: session, transaction, parameters
planning      statements to executable plans, cached; definitions: plans of views and indexes
read_point    chooses the time of a query; reading answers it from an index, constants, system relations, or Spark
maintained/   indexes and materialized views
writing       buffered writes: checks, staging, the commit of a transaction
temporary     drops objects that end with a session or a transaction, at the latest at the next start
unfinished_paths   files written beside the database, removed at the next start if left unfinished
scheduled     rows that wait for their time
counting/     the state of sequences, and reservations of their values
committed_catalog   the newest catalog and its history; changes as part of a commit
sequence/     one file for each kind of statement
clock_watch         logs when the wall clock has jumped, and when the server's own clock has caught up
committing          a transaction's commit: its writes, changes and reads
conditions          the conditions of sources and sinks, present and past, as reported by the replica
connection_probe    finds out whether the system behind a connection answers: asked in a thread, for a bounded time
constraints/        checks a statement's writes against the rules of tables
evaluating          chooses the place of a statement's interpretation
keys_read           finds the keys by which a query reads tables, before it runs
later_reads         moves the read time of a transaction that goes on to write, as long as that makes no difference
locking/            locks between sessions: on rows and tables, in memory, until their transaction or savepoint ends
long_texts          reads, plans and binds statements
names_read          tells reads of system relations by name from others: COMMIT validates only reads by name
noting              notes the reads that COMMIT repeats: of system relations by name, and under conditions on mz_now()
own_writes          adds a transaction's own writes to its reads
permissions         checks that the current role may execute a statement
pieces              pieces of a file that tasks write instead of an answer's rows
read_holds          named read holds in a commit: the catalog lists them, storage holds their capabilities
recent_plans        the most recently used plans, bounded by number and by the length of their texts
repeating           repeats reads at COMMIT, and compares the answers
replica_rows        the controller's status of its replica, for system relations
retractions         checks that a transaction retracts only existing rows, before its COMMIT is handed on
row_text            tables and rows in errors
server_access       decides whether statements may reach files and programs of the server's machine
sinks/              sinks in statements and commits: recovery logs, and the deliveries that write them
sources/            sources in statements and commits: shards, and the ingestions that write them
unfinished_uploads  uploads that COPY has begun in buckets, until completed: their parts are invisible, and paid for
"""
