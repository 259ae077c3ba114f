"""Maintained dataflows: the plan of a view, its arrangements, and the ticks that follow changes.

plan         the steps (stateful, kernels) and segments (linear, Spark) that maintain a relation
planning     makes the plan of a relation; description tells the plan for EXPLAIN
steps        the operators of a plan, one a file; stages: the work of each in a tick
step_numbers the numbers of what steps keep, and operators answer
plan_names   how a computation is carried out, as a part of its state's name
arranged     names the arrangements of a plan's steps
segments     writes a segment as a query over updates
program      all queries of a dataflow in one Spark session
queries      runs queries here or as jobs, by the size of the change
change       the change of one collection, as Spark reads it
wide         the steps of a tick that tasks work on; spark_pool: those tasks as jobs of Spark
task_merges  merges of a dataflow's batches by tasks, beside its ticks
task_trust   which ticks may have tasks, by how tasks have fared
tick         one tick: queries, arrangements, kernels in order; ticking drives several ticks together
outputs      the updates that a tick exports
step_times   measures how long each step of a tick is worked on
reading      tells the share of its imports that a tick has read
dataflow     a dataflow from hydration to its end; no sockets, no consensus, no clock
"""
