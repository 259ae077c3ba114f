"""Casts by the types that they go between; `table` has them all.

members  lists and maps whose members are cast, and arrays as lists and lists as arrays
numbers  casts among numbers, booleans and oids
other    casts of json, of arrays element by element, of vectors
rows     how the cast families write their rows, and what they share: the text form of any type, in and out
text     casts to and from the string types, most of them through the text form of the other type
time     casts among dates, times, timestamps and intervals
"""
