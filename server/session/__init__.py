"""One client's state.

session       answers the wire's calls; runs statements within the session's transaction
transaction   what a transaction has read, written and changed so far
variables     run-time parameters; tuning_variables: those without effect; durations: how times are written;
              settings: one session's values of them (search_path, startup_options)
portals       prepared statements, portals and cursors
copying       COPY FROM STDIN whose end is the commit
interruption  cancel requests and timeouts
object_names  how results print regclass and its kin
backend       who may open a session
"""
