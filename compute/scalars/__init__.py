"""Scalar expressions as Spark SQL: a value and an error for each row, never an exception.

value   what a lowered expression is; layers   flat projections of shared parts; lower   one arm a node
lowerings   keys to built-in expressions, from the families; python_function   everything else, in Python workers
"""
