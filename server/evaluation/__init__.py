"""Runs the interpreter for statements without blocking the event loop.

work        a query to evaluate, and its rows in batches: the same for every place
here        on the event loop: for small queries, and for a simulation, which has one thread only
pool        in worker processes, which can be ended: for all other queries
nursery     the process that imports everything once, and forks the workers
worker      a worker process: evaluates, and asks the environment about catalog and session
remote      questions of functions to a session, sent over the wire
messages    messages between environment and worker
query_facts  facts about a plan's query, found once for all executions of the plan
system_rows  system relations in a query: constants of their rows, as a snapshot has them
"""
