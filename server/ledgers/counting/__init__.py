"""How far sequences have come.

counter           one sequence: pure
counters          all sequences, their reserved numbers durable before they are given
session_counters  a session's currval and lastval
positions         sequences as relations are read
split             takes calls of nextval out of a query
"""
