"""Maintained dataflows: what is kept, what is done for a change, and the tick that does it.

plan         which segments (linear, Spark) and steps (stateful, kernels) a relation becomes
planning     how a relation becomes them; description says it for EXPLAIN
arranged     what the steps of a plan arrange, under which names
segments     a segment as a query over updates
keyed, delays, order_codes   the queries of what goes into steps
prefix       which groups are known by their first rows
streams      what steps make, as segments read it
program      all queries of a dataflow in one Spark session
queries      how they run: here or as jobs, by the size of the change
change       the change of one collection, as Spark reads it
tick         one tick: queries, arrangements, kernels in order
rares, empty_versions, recompute   what kernels leave to it
outputs      what a tick exports, added up
reading      how much of its imports a tick has read
dataflow     a dataflow from its hydration to its end; no sockets, no consensus, no clock
"""
