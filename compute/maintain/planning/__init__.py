"""Which segments and steps a relation becomes.

maintained       the door: objects and what is exported of them
translation      one arm a node; linear nodes stay in segments, each of the others has its file:
joins, matches                                pairs by key, and the rows that have a partner
conditions, alternatives, constant_sides      what a join asks; in one of several ways; of a few rows that never change
reduces, accumulable                          groups as sums, or anew by group
distinct_aggregates, extremes                 sums over distinct arguments; min and max beside them and each other
set_operations, multiplicities        DISTINCT, UNION, EXCEPT, INTERSECT by counting
temporal         conditions on mz_now() as delays
recursion        what is recomputed
determinism      what a maintained view may not ask
segments, streams, unique     linear nodes put together; steps, each made once; what tells a stream's rows apart
keys, groups     what can be a key; steps that work by group
"""
