"""Scalar expressions as Spark SQL: a value and an error for each row, never an exception.

value   what a lowered expression is; layers   flat projections of shared parts; lower   one arm a node
lowerings   keys to built-in expressions, from the families; python_function   everything else, in Python workers
casts             casts among numbers, booleans and oids, casts to text that Spark writes alike, and type modifiers
comparisons       = <> < <= > >= and IS [NOT] DISTINCT FROM, by an ordering form of each type; IS [NOT] NULL
containers        arrays, lists and maps, greatest and least, and the single row of a scalar subquery
date_parts        extract, date_part, date_trunc, date_bin, for units and bins that are literals
dates             dates, times, timestamps and intervals between the years 1 and 9999; 22008 outside
failure           errors as data: each fixed message has a number
family            the common parts of the families of lowerings: the shape of a row, and usual ways to write rows
floats            float4, float8: IEEE arithmetic; an infinity or a zero that the operands do not explain is 22003
integers          int2, int4, int8: exact, or 22003; division truncates, and division by zero is 22012
literals          literals as lowered values
long_expressions  expressions too long for Spark's planner, as a list of steps that Python's workers run for each row
members           IN a long list of constants
numerics          numeric: Spark decimals of tracked precision and scale, so that no digit is lost unseen
distance_worker   distances of vectors, a batch at once
python_worker     code for Spark's Python workers
quotients         division of numerics: rounded half away from zero to as many decimals as PostgreSQL gives
ranges            ranges: bounds and simple relations by the fields of the struct that holds one
spark_sql         Spark SQL as text that only this file's functions make from values
texts             text functions of Spark with PostgreSQL's edge cases
window_worker     window calls without a lowering
"""
