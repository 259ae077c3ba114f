"""One client's state.

session       answers the wire's calls; runs statements within the session's transaction
transaction   what a transaction has read, written and changed so far
variables     run-time parameters; tuning_variables: those without effect; durations: how times are written;
              settings: one session's values of them (search_path, startup_options)
holdings      what it has by name: prepared statements, portals, cursors (cursor, kept_rows)
asking        who asks: what executions of its statements read of it
portals       a prepared statement, a portal, and rows read from it a few at a time
activity      what it is busy with, as others see it, and how long it may be idle
planned       in which catalog its statements are planned; alone: a statement that is a transaction by itself
wire_results  what the wire gets of a result: rows that can be interrupted, the commit before their end
copying       COPY FROM STDIN whose end is the commit
interruption  cancel requests and timeouts
object_names  how results print regclass and its kin
backend       who may open a session
session_values  what SessionValues stand for in one execution, worked out when it is asked for
time_zones      the variable TimeZone: a zone's name, hours east of UTC, or an interval east of UTC
value_rules     what values a run-time parameter takes
"""
