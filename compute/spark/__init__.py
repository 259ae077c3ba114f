"""A SparkSession from nothing but pip.

java        which Java runs, and what that Java needs to be told
launch      the JVM: started directly, dies with its parent
orphan      ends a JVM that is stuck when the process that started it has ended; ParentWatch.java
session     the session: its settings, and the profiles for work of different sizes
interruptible  planning that ends when its thread is interrupted; Interruptible.java
schema      a collection's columns as Spark's types
frames      Arrow tables as DataFrames
row_files   files of rows for tasks to read
in_arrow    a DataFrame whose tasks are Python's, over Arrow's batches
prepared    queries planned once and run without a job, over new rows each time; PreparedQuery.java
collect     the rows of a DataFrame as Arrow record batches
operators   what the operators of a plan that has run did
spool       what a query yields, in memory up to a limit and in a file from there on
progress    how far the jobs are that are under way
standalone  a Spark master or worker as a process
class_cache  keeps Spark's loaded classes in a file that later JVMs map into memory
handles      frees Java objects to which Python still has handles
training     makes the class cache: starts Spark like a replica, runs the first queries, and ends the JVM
"""
