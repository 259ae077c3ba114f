"""When values are equal, and which is less.

datum_order  equality and order of datums, type by type
cuts         the bounds of ranges as places on a line
ranges       ranges as sets
"""
