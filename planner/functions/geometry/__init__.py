"""point, box, lseg and circle: functions, operators and casts, as PostgreSQL has them.

arguments     functions of numbers as functions of held shapes
near          numbers that are equal within a millionth, distances, points and their arithmetic
lines         lines, and where they, segments and points meet or are nearest
boxes         boxes: areas, what lies within, where they and others are nearest
point_rows    rows: points
box_rows      rows: boxes
segment_rows  rows: segments
circle_rows   rows: circles

Shapes are told apart by tuples of numbers: a point is (x, y), a box (high x, high y, low x, low y), a segment
(x, y, x, y), a circle (x, y, radius). Comparisons of numbers allow for a millionth, but for whether a point lies
within a box or a circle.
"""
