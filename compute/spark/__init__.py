"""A SparkSession from nothing but pip.

java        which Java runs, and what that Java needs to be told
launch      the JVM: started directly, dies with its parent
session     the session: its settings, and the profiles for work of different sizes
schema      a collection's columns as Spark's types
collect     the rows of a DataFrame as Arrow record batches
spool       what a query yields, in memory up to a limit and in a file from there on
standalone  a Spark master or worker as a process
"""
