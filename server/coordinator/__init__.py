"""The environment's heart: it holds catalog, storage, timeline and compute together.

environment   all parts, and the tasks that run them; bootstrap makes one, in the order that safety needs
execution     one execution of one statement: who asks, in which transaction, with which parameters
planning      statements to plans that can be executed, cached; definitions: those of views and indexes
read_point    when a query reads; reading: from an index, constants, system relations, or Spark
system_rows   system relations as constants
maintained/   indexes and materialized views
writing       buffered writes: checks, staging, the commit of a transaction
temporary     what ends with a session or a transaction, and is dropped at the next start otherwise
unfinished_paths   what is written beside the database, and removed at the next start when it was left there
scheduled     rows that wait for their time
counting/     how far sequences have come, and how their values are reserved
committed_catalog   the newest catalog and its history; how changes become part of a commit
sequence/     one file for each kind of statement
"""
