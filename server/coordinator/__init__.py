"""The environment's heart: holds catalog, storage, timeline and compute together.

environment   all parts, and the tasks that run them; bootstrap makes an environment, in the order that safety needs
execution     one execution of one statement: session, transaction, parameters
planning      statements to executable plans, cached; definitions: plans of views and indexes
read_point    chooses the time of a query; reading answers it from an index, constants, system relations, or Spark
system_rows   system relations as constants
maintained/   indexes and materialized views
writing       buffered writes: checks, staging, the commit of a transaction
temporary     drops objects that end with a session or a transaction, at the latest at the next start
unfinished_paths   files written beside the database, removed at the next start if left unfinished
scheduled     rows that wait for their time
counting/     the state of sequences, and reservations of their values
committed_catalog   the newest catalog and its history; changes as part of a commit
sequence/     one file for each kind of statement
"""
