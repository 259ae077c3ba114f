"""The work of steps in a tick, one stage a file: a stage has the queries for the step's inputs, and the kernel that
turns the arranged input into the change of the step's stream."""
