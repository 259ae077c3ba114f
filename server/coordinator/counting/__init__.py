"""How far sequences have come.

counter           one sequence: what it gives next, and when more must be reserved
counters          all of them, in memory and in their shard; a rider on group commits
session_counters  what one session has taken
lookup            nextval and its kin, for one execution
positions         SELECT from a sequence, beside tables
projection        the projection that takes them, over rows from below
split             queries that take a value for each row
"""
