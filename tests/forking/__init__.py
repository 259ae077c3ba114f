"""Processes of tests that need not import Headwater: they are forked from one that has.

parent     the process that has imported all of it, and forks what it is asked for
becoming   what a process becomes that was forked: any module of ours, run as `python -P -m` would run it
spares     processes that a forked server has ready for the Python that it starts itself: its nursery and its replica
forked     how a test asks for such a process, waits for it and kills it
"""
