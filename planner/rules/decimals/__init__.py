"""Decimals of numerics as columns of their own, for dataflows, whose steps keep numerics with one scale a column.

telling      the rule, one arm a node
expressions  which decimals an expression reads, and the expression over columns that tell them
groups       groups: keys, sums, means, least and greatest values
windows      calls over windows
outer        what subqueries read of the decimals of rows outside
"""
