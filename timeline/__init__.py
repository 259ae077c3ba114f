"""The timeline: one order for all commands.

oracle                the four operations on (read_ts, write_ts), pure
durable_oracle        the oracle's state in consensus; read_ts is read there, never cached
fence                 the epoch by which a single environment is allowed to write
lease                 who leads renews it; a standby takes over once it stands still
promotion             a changeover on command: the leader gives way to a standby
timestamp_selection   chooses the time of a read, and tells why; pure
commit_part           the Protocol of the parts of a commit
group_commit          all pending writes at one timestamp, in one durable step
write_locks           tables and rows kept from changing while a statement reads and then writes
claims                write locks, held or waited for, found by table, columns and values
footprint             the tables and rows that a transaction has read, compared with the rows of a write
recent_changes        the rows that recent commits have changed, found by key
waiting               finds circles of transactions that wait for each other
"""
