"""Hostile input on a running server: nobody waits for it, and it ends nothing."""
