"""One client: its session, from the wire's calls to results.

session       answers the wire's calls; runs statements within the session's transaction
backend       opens sessions for the wire, and cancels one from outside
planned       the catalog in which a session's statements are planned
alone         a statement that is a transaction by itself
asking        a session's part in executions of its statements
activity      the work of a session as others see it, and limits on idling
history       what the log of statements tells of the session's own
interruption  cancel requests and timeouts
copying       COPY FROM STDIN whose end is the commit
wire_results  results for the wire: rows that can be interrupted, the commit before their end
"""
