"""Relations as Spark SQL, one file an operator; rendered   what they pass on; context   what they share."""
