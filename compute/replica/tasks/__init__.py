"""Tasks of a replica: the state machine that says what is to run, and all that runs, by number.

events     what happens to a replica, and what it then is to do
state      the whole protocol as a pure state machine: events in, instructions out
dataflows  all dataflows, ingestions and sinks of a replica
"""
