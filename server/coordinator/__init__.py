"""The environment's heart: it holds catalog, storage, timeline and compute together.

environment   all parts, and the tasks that run them; bootstrap makes one, in the order that safety needs
planning      statements to plans that can be executed, cached
reading       a query at a timestamp: from constants, system relations, or Spark
writing       buffered writes: checks, staging, the commit of a transaction
sequence/     one file for each kind of statement
"""
