"""What the steps do, one a file: the queries that Spark is asked for a step's inputs, and the kernel that makes the
change of its stream of what was arranged."""
