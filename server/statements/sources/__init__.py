"""Sources and connections: answers of other systems that a statement waits for.

answers           all that is asked before a statement is planned
schemas           schemas of registries
publications      publications of PostgreSQL servers
topics            topics that exist
first_files       the first files of a bucket or directory
added_tables      tables added to a source
connection_probe  whether a connection's system answers
"""
