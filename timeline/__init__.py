"""The timeline: one order for all commands.

oracle                the four operations on (read_ts, write_ts), pure
durable_oracle        the oracle's state in consensus; read_ts is read there, never cached
fence                 the epoch that makes one environment the only writer
timestamp_selection   which time a read happens at, and why; pure
commit_part           what a commit is made of: a Protocol
group_commit          all pending writes at one timestamp, in one durable step
write_locks           tables that a read-then-write statement keeps from changing while it runs
"""
