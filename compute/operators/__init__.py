"""Relations as Spark SQL, one file an operator; `rendered` is the form of their results, `context` their common
state.

accumulable    aggregates maintained by accumulation
aggregates     aggregates in Spark: partial sums that do not depend on partitioning, then an expression over the sums
asked_rows     finds how many rows of an endless recursion a query needs
constant       constant: rows in the plan itself
flat_map       FlatMap: each row beside the rows of a table function of it
float_sums     exact sums of floats, rounded once: independent of the order and partitioning of rows
group_columns  the columns of the selects that Reduce and Window are made of
join           join: pairs for which every predicate is true, and the rows without a partner, by the kind of join
join_pairs     joins on conditions that Spark's own joins can't judge: fallible conditions, and conditions in Python
let            let: a relation named once, and read by each LocalGet
let_recursive  LetRecursive (WITH MUTUALLY RECURSIVE): rounds over whole relations, until one changes nothing
linear         get, Project, Map, Filter, Negate
order          orders as Spark SQL: PostgreSQL's places for NULLs, written out always; ties broken by the whole row
ordered_sets   ordered-set aggregates in Spark: only the rows that they read are gathered
recursive      recursive (WITH RECURSIVE): `base`, then `step` over the rows last added, until a round adds none
reduce         reduce: one row a group
rounds         the driver of recursions: computes a relation's present rows, and keeps them as a local table
sums           aggregates computed from sums, whoever makes the sums
top_k          TopK and the finishing: in each group the rows after `offset` up to `limit`, in a total order
union          union and Threshold: multiplicities add up; Threshold keeps rows of positive multiplicity
window         window: values of a row's place in its group
window_frames  frames in Spark's words, where possible
window_python  window calls in Python workers: each group is gathered into one row, answered, and spread out again
"""
