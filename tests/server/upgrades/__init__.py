"""What earlier code has written is opened, and what newer code has written is refused before anything is written.

written        writes a data directory of today's formats, packed; unpacks one
test_upgrades  a server over the directories in `states`, and over one whose formats are newer

A file in `states` is never changed. One is added, by `python -m tests.server.upgrades.written NAME`, whenever the
number of a format is raised, before the change; its name is the date.
"""
