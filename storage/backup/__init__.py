"""Backups: a whole system at one moment, in a place of its own, and back from there (docs/backup.md).

manifest   what a backup consists of, with lengths and checksums; written last, so that a backup is whole or is none
capture    the states of all shards at one moment, with their parts held
writing    copies the parts that a place does not have yet, then the states, then the manifest
reading    finds backups in a place, reads their states, and names what is damaged or missing
cut        a shard's state as it was at an earlier time
restoring  writes parts and states into empty places
"""
