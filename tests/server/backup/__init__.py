"""BACKUP and `headwater restore`."""
