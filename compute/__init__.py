"""Queries, run by Spark in replica processes that the environment starts, commands and reconciles with.

spark/        a SparkSession from nothing but pip: the JVM, its settings, its profiles
protocol/     what the environment and a replica say to each other, and the history that reduces it
replica/      the replica process: a pure state machine, and the peeks it runs on Spark
controller/   the environment's side: keeps a replica running, asks it, and never hangs on it
processes     what the system tells of processes and threads; directory_lock: whose a directory is
render        the typed plan as Spark's DataFrames; scalars/ and operators/ are its parts

No module here but those of spark/, replica/ and the renderer imports pyspark: the environment has no JVM.

arrangement/  arrangements: updates sorted by the hash of their key in immutable batches
neighbours/   the rows of an arrangement that are nearest to a vector
kernels/      the stateful steps of maintained dataflows, as pure functions over arrangements
log_lines     sets up the log of a process: what a line looks like, and that none shows a secret or a local variable
executors/    the tasks of a wide tick, each on one range of hashes
maintain/     maintained dataflows: the plan of a view, its arrangements, and the ticks that follow changes
"""
