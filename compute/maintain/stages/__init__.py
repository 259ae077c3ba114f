"""The work of steps in a tick, one stage a file: a stage has the queries for the step's inputs, and the kernel that
turns the arranged input into the change of the step's stream.

accumulate      Spark computes the rows' contributions to sums, a kernel keeps the sums
delay           keeps updates by the time at which they are due, and emits each in the tick that covers its time
delays          writes the query for a delay's input
empty_versions  finds the times at which the one group of an aggregation without a key was empty
group           a kernel gathers the versions of changed groups
join            pairs are made by a kernel over both sides' arrangements
keyed           writes queries for steps' inputs
order_codes     codes orders as int8: a later value never has a smaller code
recomputation   recomputes an operator over its inputs' whole contents, at each time at which an input changes
recompute       runs the operator's one-shot query over the inputs' whole contents
streams         streams of steps as relations that segments read
threshold       a kernel counts equal rows
write_stage     chooses the stage for each kind of step; steps are told apart nowhere else
writing         the context in which a step's stage is written
"""
