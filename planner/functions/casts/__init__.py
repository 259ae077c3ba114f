"""Casts, by the types from which and to which they convert; `table` has all casts.

compared      casts of dates and moments beside others in comparisons, which never fail
members       lists and maps by casts of members; arrays to lists and lists to arrays
numbers       casts among numbers, booleans and oids
other         casts of json, of arrays element by element, of vectors
record_casts  constructors of rows of casts, and the text form of any type, in and out
text          casts to and from the string types, most through the text form of the other type
time          casts among dates, times, timestamps and intervals
"""
