"""The rows of an arrangement that are nearest to a vector, exactly.

matrices          the vectors of blocks as matrices of singles, kept
neighbour_ranges  where distances lie, for all vectors at once
nearest           the nearest live rows: which, and with which conditions
"""
