"""Replicas, servers that follow each other, and backups, measured.

replicas        watched views on several replicas; a replica that joins by copying, and by hydrating
changing_over   takeover, changeover on command, stop and start
backups         BACKUP TO a directory, and restore
"""
