"""Planning: turns a relation into segments and steps.

maintained       the door: plans objects and exports
translation      one arm a node; linear nodes stay in segments, each other node has a file:
joins, matches                                pairs by key, and the rows with a partner
conditions, alternatives, constant_sides      takes conditions of joins apart; ORs; sides of few constant rows
reduces, accumulable                          groups as sums, or recomputed by group
distinct_aggregates, extremes                 sums over distinct arguments; min and max beside sums and each other
set_operations, multiplicities        DISTINCT, UNION, EXCEPT, INTERSECT by counting
temporal         conditions on mz_now() as delays
recursion        recomputed when an input changes
determinism      refuses expressions that a maintained view can't keep
segments, streams, unique     puts linear nodes together; makes each step once; finds keys of streams
keys, groups     expressions fit for keys; steps that work by group
"""
