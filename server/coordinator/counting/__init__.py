"""The state of sequences.

counter           one sequence: its next values, and when to reserve more
counters          all sequences, in memory and in their shard; a rider on group commits
session_counters  values that one session has taken
lookup            nextval and its kin, for one execution
positions         SELECT from a sequence, beside tables
projection        the projection that takes values, over rows from below
split             queries that take a value for each row
"""
