"""Relations as Spark SQL, one file an operator; `rendered` is the form of their results, `context` their common
state."""
