"""One client: its session, from the wire's calls to results.

session       answers the wire's calls; runs statements within the session's transaction
transactions  the current transaction: begun on demand, committed, rolled back
planner       plans statements in the catalog that the transaction sees
standard_texts  a client's texts as the grammar reads them, whatever they do with backslashes
function_calls calls of functions by oid, as statements
large_objects/ large objects: bytes by oid, read and written in pieces
backend       opens sessions for the wire, and cancels one from outside
planned       chooses the catalog in which a session's statement is planned
alone         a statement that is a transaction by itself
widening      a statement whose numbers don't fit columns, which become wide
current_row   the row at which a cursor stands, for WHERE CURRENT OF
asking        a session's part in executions of its statements
notices       those of a run that may be repeated wait for its end
activity      the session's row in pg_stat_activity, and limits on idling
history       the session's entries in the log of statements
interruption  cancel requests and timeouts
copying       COPY FROM STDIN whose end is the commit
wire_results  results for the wire: rows that can be interrupted, the commit before their end
"""
