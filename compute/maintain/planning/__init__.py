"""Which segments and steps a relation becomes.

maintained       the door: objects and what is exported of them
translation      one arm a node; linear nodes stay in segments, each of the others has its file:
joins, conditions, alternatives, matches      pairs by key, and the rows that have a partner
reduces, accumulable, distinct_aggregates     groups as sums, or anew by group
set_operations, multiplicities        DISTINCT, UNION, EXCEPT, INTERSECT by counting
temporal         conditions on mz_now() as delays
recursion        what is recomputed
determinism      what a maintained view may not ask
segments, streams, unique     linear nodes put together; steps, each made once; what tells a stream's rows apart
keys, groups     what can be a key; steps that work by group
"""
