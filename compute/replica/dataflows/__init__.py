"""Dataflows at work: fed from shards, ticked, written to their exports, kept, retried. Only modules named for Spark
know Spark.

runner           one dataflow's life
ticks            the ticks of one dataflow: hydrates, advances, seals, recovers
reports          what a dataflow tells: frontiers, phase, measures
standing         where a dataflow is: open or not, and how far
opening          finds the state, or the time, to go on from
attention        how soon a dataflow goes on, by who reads it
turns            the order of ticks: first those with waiting readers
tick_inputs      the inputs' changes of one tick
tick_log         durations of ticks
maintained       the computation of a dataflow, as its runner sees it
direct           no computation: an index on a table
on_spark         ticks on Spark
spark_changes    an import's part in a tick, as Spark reads it
together         ticks of small dataflows, a round of Spark for several
kept             arrangements that survive the process
states           where those are kept: on the disk, or in blob
dataflow_note    counts beside the states what dataflows have ended: a JVM by their planning, tasks by their ticks
shelf            the kept arrangements, by the outputs that they serve
checkpoints      when arrangements are written down
former_places    deletes directories of members that joined another dataflow
repairs          which views were wrong, and what was corrected
outputs          the outputs to compute for the exports
members          the environment's dataflows that run as one
sharing          joins dataflows of equal computation
advances         moves uppers of unchanged shards together
exports/         a sink for each export, filled by ticks
"""
