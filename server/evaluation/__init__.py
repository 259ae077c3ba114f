"""Runs the interpreter for statements without blocking the event loop.

work        what is evaluated, and its rows in batches: the same for every place
here        on the event loop: for what is small, and for a simulation, which has one thread only
pool        in worker processes, which can be ended: for everything else
nursery     the process that has imported everything once, and forks the workers
worker      one of them: evaluates, and asks the environment for what only it knows
remote      what functions ask of a session, asked over the wire
messages    what environment and worker tell each other
query_facts  what a plan's query tells by itself, looked for once: the plan is executed many times
system_rows  system relations in a query: constants of their rows, as a snapshot has them
"""
