"""One client's state.

session       answers the wire's calls; runs statements within the session's transaction
transaction   what a transaction has read, written and changed so far
variables     run-time parameters; durations: how their times are written
portals       prepared statements, portals and cursors
"""
