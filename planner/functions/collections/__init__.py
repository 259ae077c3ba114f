"""Functions of arrays, lists, maps and ranges.

array             the elements of arrays: search, replacement, set operators, their texts joined
array_assignment  an array with an element or a slice put in place of what was there
array_shapes      the shape of arrays: dimensions and bounds, elements and slices by subscripts, making
range_functions   functions and operators of ranges
"""
